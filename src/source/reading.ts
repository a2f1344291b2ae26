import type { Program } from 'acorn';
import { Names } from './scope.js';
import { type StripFault, tryStrip } from './strip-types.js';
import { parseCell, parseLeniently } from './syntax.js';

/** A text that makes sense as a cell, perhaps after its types were blanked, perhaps but for `return` and `await`. */
export interface Reading {
  /** The text without its types. */
  readonly text: string;
  readonly program: Program;
  readonly stripped: boolean;
  /** A host would refuse it, for a `return` or an `await` in the wrong place. */
  readonly lenient: boolean;
  readonly misplacedAwaits: readonly number[];
}

/** What a host took before a repair, it must take after it. */
export const stillParses = (before: Reading, after: Reading): boolean => before.lenient || !after.lenient;

/** Reads a text as JavaScript, then as TypeScript: with long lines only if it is `typescript` by declaration. */
export async function readCell(
  text: string,
  typescript = false,
): Promise<Reading | { readonly program?: undefined; readonly fault: StripFault }> {
  const asItIs = readJavaScript(text);
  if (asItIs !== undefined && !mayHaveTypes(text, asItIs.program)) return { ...asItIs, stripped: false };
  // On broken text the stripper takes time that grows with the square of its longest line.
  if (!typescript && hasLongLine(text))
    return asItIs === undefined ? { fault: unread } : { ...asItIs, stripped: false };
  let { code, fault } = await tryStrip(text);
  if (code === undefined && !fault?.unsupported && /\breturn\b/.test(text)) {
    const again = await tryStrip(text, true);
    if (again.code !== undefined) ({ code, fault } = again);
  }
  const stripped = code === undefined || code === text ? undefined : readJavaScript(code);
  if (stripped !== undefined) return { ...stripped, stripped: true };
  if (asItIs !== undefined) return { ...asItIs, stripped: false };
  return { fault: fault ?? unread };
}

const unread: StripFault = { line: 1, column: 1, reason: 'it is no JavaScript', unsupported: false, cause: undefined };

/** With a fault in every statement: 40 ms; of five times the length, 1.7 s. */
const LONGEST_LINE = 4_000;

const hasLongLine = (text: string): boolean => text.split('\n').some(({ length }) => length > LONGEST_LINE);

function readJavaScript(text: string): Omit<Reading, 'stripped'> | undefined {
  const strict = parseCell(text);
  if (strict.program !== undefined) return { text, program: strict.program, lenient: false, misplacedAwaits: [] };
  const loose = parseLeniently(text);
  if (loose === undefined) return undefined;
  return { text, program: loose.program, lenient: true, misplacedAwaits: loose.misplaced };
}

const typeNames = ['string', 'number', 'boolean', 'unknown', 'any', 'never'];
const typeArgument = /<\s*(string|number|boolean|unknown|any|never)\b/;

/** `f<string>(x)` is JavaScript too: two comparisons with a variable that is called like a type. */
function mayHaveTypes(text: string, program: Program): boolean {
  if (!typeArgument.test(text)) return false;
  const { free } = new Names(program);
  return typeNames.some((name) => free.has(name));
}
