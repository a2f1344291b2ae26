import { applyDrafts } from './apply-drafts.js';
import { checkPrepareArguments } from './argument-guard.js';
import { Cell } from './cell.js';
import type { Draft, Finding } from './finding.js';
import { unsupportedTypescriptText } from './messages.js';
import { LineIndex } from './position.js';
import type { Reading } from './reading.js';
import { pragma } from './rules/pragma.js';
import { examine } from './rules/rules.js';
import { stripTypes } from './strip-types.js';
import { unwrap } from './unwrap.js';
import { foreignLanguage } from './wrappers/foreign.js';

/** `off`: the source is taken as it is; only a cell that is declared as TypeScript loses its types. */
export type Preflight = 'off' | 'report' | 'fix';

export interface PrepareOptions {
  /** How errors call the cell: a path, or `[eval]`. Default: `[cell]`. */
  readonly label?: string | undefined;
  /**
   * The cell is TypeScript: what cannot be stripped is an error. Default: false, which removes types where the cell needs
   * it.
   */
  readonly typescript?: boolean | undefined;
  /** Default: `report`. */
  readonly preflight?: Preflight | undefined;
  /** The names that `tools` has in the cell. Without them nothing is said about unknown tools. */
  readonly tools?: readonly string[] | undefined;
  /** The tool that runs commands, if there is one: hints name it. */
  readonly commandTool?: string | undefined;
}

export interface PreparedCell {
  readonly source: string;
  /** What stands around the program comes first, then the rest in the order of its places; at most fifty. */
  readonly findings: readonly Finding[];
  /** Something was repaired: `source` is more than the given one without its types. */
  readonly repaired: boolean;
  /** Types were blanked. */
  readonly stripped: boolean;
}

/** Longer cells, in UTF-16 units, are written by programs, not by models: looking through them could cost seconds. */
const LONGEST = 262_144;
/** More findings nobody reads. All repairs are made. */
const MOST_FINDINGS = 50;

/**
 * Gets the source of a cell ready for a host: removes types, and looks for what models get wrong. With `report` the
 * source changes by its types only. With `fix` what can be repaired with certainty is repaired, with the line numbers
 * kept; the rest is reported. Certain is what could not have run, or not have been meant as it stands: where a cell could
 * have completed and been meant so, it is left alone. One that runs keeps what it does, and gains output, or an `await`
 * where a result would get lost at its end, or is used as what it is not; one that does nothing, as all of it is a
 * function or a string, is taken for what is in there. Cells longer
 * than 256 KiB (2^18 units), or nested too deeply, are not looked at. Rejects with `invalid-argument` where a TypeScript
 * cell can not be stripped and no finding says why, or where an option can not be used.
 */
export async function prepareCell(source: string, options: PrepareOptions = {}): Promise<PreparedCell> {
  checkPrepareArguments(source, options);
  if (options.preflight === 'off' || source.length > LONGEST) return unexamined(source, options);
  try {
    return await prepare(source, options);
  } catch (error) {
    // Nested too deeply to be parsed; the host has a larger stack, or says so itself.
    if (!(error instanceof RangeError)) throw error;
    return unexamined(source, options);
  }
}

async function unexamined(source: string, { typescript, label }: PrepareOptions): Promise<PreparedCell> {
  const text = typescript === true ? await stripTypes(source, { label }) : source;
  return { source: text, findings: [], repaired: false, stripped: text !== source };
}

async function prepare(source: string, options: PrepareOptions): Promise<PreparedCell> {
  const { text, drafts, reading, fault } = await unwrap(source, options);
  // What stands around a program is blanked line by line, so that these lines are those of the source as well.
  const inside = new LineIndex(text);
  const outside = new LineIndex(source);
  const found = (draft: Draft, index: LineIndex, fixed: boolean): Finding => {
    const { code, at, message } = draft;
    return { code, ...index.at(at), message, fixed };
  };
  if (reading === undefined) {
    const foreign = foreignLanguage(text, options.commandTool);
    const others = [...drafts.map((draft) => found(draft, outside, false))];
    if (foreign !== undefined) others.push(found(foreign, inside, false));
    else if (fault?.unsupported && !options.typescript)
      others.push({
        code: 'unsupported-typescript',
        line: fault.line,
        column: fault.column,
        message: unsupportedTypescriptText(fault.reason),
        fixed: false,
      });
    // The error has the position, which no host would give.
    if (others.length === 0 && options.typescript) await stripTypes(source, { label: options.label });
    return { source, findings: others, repaired: false, stripped: false };
  }
  const fix = options.preflight === 'fix';
  const repair = await repaired(reading, source, options);
  const ready = fix && (drafts.length === 0 || !repair.broken);
  const said = repair.drafts.filter(({ draft }) => draft.quiet !== true);
  const findings = distinct([
    ...drafts.map((draft) => found(draft, outside, ready)),
    ...said.map(({ draft, fixed }) => found(draft, inside, fixed && ready)),
  ]);
  if (!fix) {
    const plain = drafts.length === 0 ? reading.text : source;
    return { source: plain, findings, repaired: false, stripped: plain !== source };
  }
  const changed = findings.some(({ fixed }) => fixed);
  return { source: changed ? repair.text : reading.text, findings, repaired: changed, stripped: reading.stripped };
}

/** One place can be said twice: from outside and from inside, or in two rounds. */
function distinct(findings: readonly Finding[]): Finding[] {
  const seen = new Map(findings.map((finding) => [`${finding.code}:${finding.line}:${finding.message}`, finding]));
  return [...seen.values()].slice(0, MOST_FINDINGS);
}

interface Repair {
  readonly text: string;
  readonly drafts: readonly { readonly draft: Draft; readonly fixed: boolean }[];
  /** A host would still refuse the text, or it is no program. */
  readonly broken: boolean;
}

/** A repair can uncover the next fault: a function that became async has to be awaited. */
const MOST_ROUNDS = 4;

async function repaired(first: Reading, given: string, options: PrepareOptions): Promise<Repair> {
  const fix = options.preflight === 'fix';
  let reading = first;
  const all: { readonly draft: Draft; readonly fixed: boolean }[] = [];
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const drafts = [
      ...pragma(reading.text, given),
      ...examine(new Cell(reading.text, reading.program, { ...options, ...reading })),
    ];
    const repair = fix ? await applyDrafts(reading, drafts, options.typescript) : undefined;
    // Later rounds say only what they repair: the positions are not those of the source any more.
    for (const draft of drafts) {
      const fixed = repair?.applied.has(draft) === true;
      if (round === 0 || fixed) all.push({ draft, fixed });
    }
    if (repair === undefined) break;
    reading = repair.reading;
  }
  const broken = reading.lenient || all.some(({ draft }) => draft.code === 'shell-command');
  return { text: reading.text, drafts: all, broken };
}
