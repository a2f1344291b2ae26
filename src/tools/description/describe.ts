import { CodemodeError } from '../../errors.js';
import { checkOptionNames, type OptionNames } from '../../names/option-names.js';
import { tokensOf } from '../../protocol/truncation.js';
import type { DeclaredTool } from '../declarations/tool-signature.js';
import { byteLength } from './byte-length.js';
import { equalShare } from './fair-share.js';
import { BREAK, groupsOf } from './group-section.js';
import { Plan } from './plan.js';
import * as texts from './texts.js';
import { briefChoice, fullChoice } from './tool-forms.js';

export interface DescribeOptions {
  /** For both texts together, four bytes each. Default: 100,000; `Infinity` for no limit. */
  readonly maxTokens?: number | undefined;
  /**
   * The property of `tools` that searches tools, if there is one: what is left out can then be found. Default: what the
   * toolbox says.
   */
  readonly searchName?: string | undefined;
}

/** What can be described: a toolbox, or a list of its entries. */
export type Describable =
  | readonly DeclaredTool[]
  | { readonly entries: readonly DeclaredTool[]; readonly searchName?: string | undefined };

export interface Description {
  /** For the tool `exec`: what a cell is, and every tool that there is room for. */
  readonly exec: string;
  /** For the tool `wait`. */
  readonly wait: string;
  /** Tools that are shown, be it by their name only. */
  readonly shown: number;
  readonly omitted: number;
  /** Of both texts. */
  readonly tokens: number;
}

const known: OptionNames<DescribeOptions> = { maxTokens: true, searchName: true };

const DEFAULT_MAX_TOKENS = 100_000;
const TOKEN_BYTES = 4;
const WAIT_TOKENS = tokensOf(byteLength(texts.waitText));
const START_BYTES = byteLength(texts.introduction) + BREAK.length;

/**
 * What a model is told of `exec`, `wait` and the tools. Where the budget is short, tools are shortened, the largest first:
 * their descriptions, then to a line, then to a name; only when the names do not fit are tools left out, the last ones
 * first. A model can ask for what it has heard of, so many tools in short are worth more than a few in full. The text says
 * what it lacks. A budget without room for the introduction is refused with `invalid-argument`, whose data has `minimum`.
 */
export function describe(tools: Describable, options: DescribeOptions = {}): Description {
  const { entries, searchName: found } = toolboxOf(tools);
  checkOptionNames('describe', options, known);
  const { maxTokens = DEFAULT_MAX_TOKENS, searchName = found } = options;
  if (typeof maxTokens !== 'number' || !(maxTokens > 0)) throw refused(texts.budgetTypeText(maxTokens));
  const total = entries.length;
  const omittedNote = (count: number): string => texts.omittedNote(count, total, searchName);
  const least = START_BYTES + (total === 0 ? 0 : byteLength(omittedNote(total)) + BREAK.length);
  const budget = (Math.floor(maxTokens) - WAIT_TOKENS) * TOKEN_BYTES;
  if (budget < least) {
    const minimum = tokensOf(least) + WAIT_TOKENS;
    throw refused(texts.budgetTooSmallText(maxTokens, minimum), { maxTokens, minimum });
  }
  const groups = groupsOf(entries);
  const everything = equalShare(Infinity);
  const brief = new Plan(groups, briefChoice);
  const note = texts.shortenedNote(searchName);
  const room = budget - START_BYTES - byteLength(note) - BREAK.length;
  if (brief.bytes(equalShare(0)) > room) {
    const { parts, shown } = brief.namesWithin(budget - least);
    return finished([shown === total ? note : omittedNote(total - shown), ...parts], shown, total);
  }
  // Sections are larger than lines: where lines have no room there is no need to make them.
  const plan = brief.bytes(everything) > room ? brief : new Plan(groups, fullChoice);
  if (plan !== brief && plan.bytes(everything) <= budget - START_BYTES)
    return finished(plan.parts(everything), total, total);
  return finished([note, ...plan.parts(plan.largestShare(room))], total, total);
}

function toolboxOf(tools: unknown): Exclude<Describable, readonly DeclaredTool[]> {
  const { entries, searchName } = Array.isArray(tools) ? { entries: tools, searchName: undefined } : Object(tools);
  if (!Array.isArray(entries) || !entries.every(isEntry)) throw refused(texts.notDescribableText);
  return { entries, searchName };
}

const isEntry = (entry: unknown): entry is DeclaredTool =>
  typeof Object(entry).property === 'string' && typeof Object(entry).tool?.name === 'string';

function finished(parts: readonly string[], shown: number, total: number): Description {
  const exec = [texts.introduction, ...parts].join(BREAK).replace(/\p{Surrogate}/gu, '\ufffd');
  const tokens = tokensOf(byteLength(exec)) + WAIT_TOKENS;
  return { exec, wait: texts.waitText, shown, omitted: total - shown, tokens };
}

const refused = (message: string, data?: { maxTokens: number; minimum: number }): CodemodeError =>
  new CodemodeError('invalid-argument', message, data === undefined ? {} : { data });
