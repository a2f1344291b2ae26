import type { DeclaredTool } from '../declarations/tool-signature.js';

/** A tool that matches, by its place among the tools. A higher score is a better match. */
export interface ToolHit {
  readonly place: number;
  readonly score: number;
}

/** All matches, best first. */
export type ToolIndex = (query: string) => readonly ToolHit[];

/** A description may be as long as a book; what a tool is for stands at its beginning. */
const MAX_INDEXED_LENGTH = 4_000;
const FIELDS = ['name', 'parameters', 'group', 'description'];

/** BM25 over the words of names, parameters, groups and descriptions. Loads the library when it is first needed. */
export async function toolIndex(entries: readonly DeclaredTool[]): Promise<ToolIndex> {
  const { default: MiniSearch } = await import('minisearch');
  const index = new MiniSearch<Readonly<Record<string, unknown>>>({
    idField: 'place',
    fields: FIELDS,
    tokenize: wordsOf,
    processTerm: (word) => word,
    searchOptions: {
      boost: { name: 4, parameters: 1.5, group: 1.5 },
      prefix: (word) => word.length > 2,
      // A letter more or less: plurals, and what a model mistypes.
      fuzzy: (word) => (word.length > 4 ? 1 : false),
      weights: { prefix: 0.4, fuzzy: 0.2 },
    },
  });
  index.addAll(
    entries.map(({ tool, property }, place) => ({
      place,
      name: `${tool.name} ${property}`,
      parameters: parametersOf(tool.inputSchema).join(' '),
      group: tool.group === undefined ? '' : `${tool.group.name} ${tool.group.description ?? ''}`,
      description: tool.description.slice(0, MAX_INDEXED_LENGTH),
    })),
  );
  return (query) => index.search(query).map(({ id, score }) => ({ place: Number(id), score }));
}

/** Words in small letters, split where the case changes too: `getHTMLPage2` has get, html, page and 2. */
export function wordsOf(text: string): string[] {
  const split = text
    .normalize('NFKC')
    .replace(/(\p{Ll}|\p{N})(?=\p{Lu})|(\p{Lu})(?=\p{Lu}\p{Ll})|(\p{L})(?=\p{N})|(\p{N})(?=\p{L})/gu, '$& ');
  return split.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}

function parametersOf(schema: unknown): string[] {
  try {
    const { properties } = Object(schema) as { readonly properties?: unknown };
    return Object.keys(Object(properties));
  } catch {
    return [];
  }
}
