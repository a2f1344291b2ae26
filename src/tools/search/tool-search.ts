import { CodemodeError } from '../../errors.js';
import { isFunction, needArgument } from '../../names/argument.js';
import * as texts from '../declarations/messages.js';
import { emptyDeclaration, toolDeclaration } from '../declarations/tool-declaration.js';
import type { DeclaredTool } from '../declarations/tool-signature.js';
import { shorten } from '../description/shorten.js';
import type { Tool } from '../tool.js';
import { type ToolHit, type ToolIndex, toolIndex, wordsOf } from './tool-index.js';

export const SEARCH_NAME = 'tool_search';

const MAX_RESULTS = 50;
const DEFAULT_RESULTS = 8;
/** Longer queries say no more; the words beyond are ignored. */
const MAX_QUERY_LENGTH = 1_000;
/** In UTF-16 code units. The first result always has its declaration, the others while the sum stays below. */
const MAX_DECLARATIONS_LENGTH = 131_072;
const MAX_DESCRIPTION_LENGTH = 600;
/** One tool that was found; `name` is the property of `tools` that calls it. */
export interface ToolSearchResult {
  readonly name: string;
  readonly description: string;
  readonly declaration: string;
  /** Higher is better; comparable within one answer. */
  readonly score: number;
}

export interface ToolSearchAnswer {
  readonly results: readonly ToolSearchResult[];
  /** How many tools match, also beyond the limit. */
  readonly total: number;
  /** What to try when nothing matches. */
  readonly hint?: string | undefined;
}

interface Built {
  readonly entries: readonly DeclaredTool[];
  readonly index: Promise<ToolIndex>;
}

/**
 * The tool `tool_search`, with which a cell looks for tools by words. `entries` gives the tools as they are now; the index
 * is made at the first search, and again when they have changed. It does not find itself.
 */
export function toolSearch(entries: () => readonly DeclaredTool[]): Tool {
  needArgument('toolSearch', 'entries', entries, isFunction, 'a function that gives the entries');
  let built: Built | undefined;
  const indexOf = async (now: readonly DeclaredTool[]): Promise<ToolIndex> => {
    if (built === undefined || !areSame(built.entries, now)) {
      built = { entries: [...now], index: toolIndex(now) };
    }
    const { index } = built;
    try {
      return await index;
    } catch (error) {
      if (built.index === index) built = undefined;
      throw error;
    }
  };
  const isSelf = ({ tool }: DeclaredTool): boolean =>
    isToolSearch(tool) || (tool.name === self.name && tool.group === undefined);
  const self: Tool = {
    name: SEARCH_NAME,
    description: texts.searchDescription,
    inputSchema,
    outputSchema,
    async handler(input): Promise<ToolSearchAnswer> {
      const { query, limit } = requestOf(input);
      const now = entries().filter((entry) => !isSelf(entry));
      const hits = ranked(query, now, (await indexOf(now))(query));
      return hits.length === 0
        ? { results: [], total: 0, hint: texts.noResultText(now.length) }
        : { results: shownOf(hits.slice(0, limit), now), total: hits.length };
    },
  };
  searches.add(self);
  return self;
}

const searches = new WeakSet<Tool>();

/** Whether `toolSearch` has made it. */
export const isToolSearch = (tool: Tool): boolean => searches.has(tool);

function requestOf(input: unknown): { query: string; limit: number } {
  const { query, limit } = Object(input) as { readonly query?: unknown; readonly limit?: unknown };
  if (typeof query !== 'string') throw refused(texts.queryTypeText);
  if (query.trim() === '') throw refused(texts.queryBlankText);
  const most = limit ?? DEFAULT_RESULTS;
  if (typeof most !== 'number' || !Number.isInteger(most) || most < 1 || most > MAX_RESULTS) {
    throw refused(texts.limitText(MAX_RESULTS));
  }
  return { query: query.trim().slice(0, MAX_QUERY_LENGTH), limit: most };
}

/** A tool whose name the query is comes first, whatever its score, and gets the best one. */
function ranked(query: string, entries: readonly DeclaredTool[], hits: readonly ToolHit[]): readonly ToolHit[] {
  const words = wordsOf(query).join(' ');
  const exactness = ({ tool, property }: DeclaredTool): number => {
    if (property === query || tool.name === query) return 2;
    return words !== '' && (wordsOf(property).join(' ') === words || wordsOf(tool.name).join(' ') === words) ? 1 : 0;
  };
  const best = Math.max(1, hits[0]?.score ?? 0);
  const exact = entries
    .map((entry, place) => ({ place, score: best, exactness: exactness(entry) }))
    .filter((hit) => hit.exactness > 0)
    .sort((one, other) => other.exactness - one.exactness);
  const places = new Set(exact.map(({ place }) => place));
  return [...exact, ...hits.filter(({ place }) => !places.has(place))];
}

function shownOf(hits: readonly ToolHit[], entries: readonly DeclaredTool[]): ToolSearchResult[] {
  let length = 0;
  return hits.flatMap(({ place, score }) => {
    const entry = entries[place];
    if (entry === undefined) return [];
    const full = toolDeclaration(entry);
    const fits = length === 0 || length + full.length <= MAX_DECLARATIONS_LENGTH;
    const declaration = fits ? full : emptyDeclaration(entry);
    length += declaration.length;
    const description = shorten(entry.tool.description, MAX_DESCRIPTION_LENGTH);
    return [{ name: entry.property, description, declaration, score: Math.round(score * 1000) / 1000 }];
  });
}

const areSame = (before: readonly DeclaredTool[], now: readonly DeclaredTool[]): boolean =>
  before.length === now.length &&
  before.every(({ tool, property }, at) => tool === now[at]?.tool && property === now[at]?.property);

const refused = (message: string): CodemodeError => new CodemodeError('invalid-argument', message);

const inputSchema = {
  type: 'object',
  properties: {
    query: { type: 'string', description: 'Words to look for, or the name of a tool' },
    limit: {
      type: 'integer',
      minimum: 1,
      maximum: MAX_RESULTS,
      description: `At most this many; default: ${DEFAULT_RESULTS}`,
    },
  },
  required: ['query'],
  additionalProperties: false,
};

const resultSchema = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    description: { type: 'string' },
    declaration: { type: 'string' },
    score: { type: 'number' },
  },
  required: ['name', 'description', 'declaration', 'score'],
  additionalProperties: false,
};

const outputSchema = {
  type: 'object',
  properties: {
    results: { type: 'array', items: resultSchema },
    total: { type: 'integer' },
    hint: { type: 'string' },
  },
  required: ['results', 'total'],
  additionalProperties: false,
};
