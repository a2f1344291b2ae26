import { LineIndex, type Position } from './position.js';

/** What the stripper throws where a text is at fault. */
export interface StripFailure {
  readonly code: string;
  readonly message: string;
  /** From 1. Lines end with CR, LF or both. */
  readonly startLine: number;
  /** From 0, as a terminal shows it: 4 for a tab, 2 or 3 for a wide character, none for what is invisible. */
  readonly startColumn: number;
}

export const isStripFailure = (value: unknown): value is StripFailure =>
  typeof value === 'object' &&
  value !== null &&
  'code' in value &&
  typeof value.code === 'string' &&
  'message' in value &&
  typeof value.message === 'string' &&
  'startLine' in value &&
  typeof value.startLine === 'number' &&
  'startColumn' in value &&
  typeof value.startColumn === 'number';

/** Where a failure is. `strip` is tried once more where columns as they are shown are no places in the text. */
export function failurePlace(failure: StripFailure, source: string, strip: (text: string) => unknown): Position {
  const starts = [0, ...Array.from(source.matchAll(/\r\n|[\r\n]/g), (end) => end.index + end[0].length)];
  const start = starts[failure.startLine - 1] ?? 0;
  const line = source.slice(start, starts[failure.startLine]);
  const column = /[^\r\n -~]/.test(line) ? evenColumn(failure, source, strip) : failure.startColumn;
  return new LineIndex(source).at(start + Math.min(column, line.length));
}

function evenColumn(
  { startLine, startColumn }: StripFailure,
  source: string,
  strip: (text: string) => unknown,
): number {
  try {
    strip(evened(source));
  } catch (error) {
    if (isStripFailure(error) && error.startLine === startLine) return error.startColumn;
  }
  return startColumn;
}

/** Letters stay letters, space stays space, and what is neither stays so, but every unit is as wide as any other. */
const evened = (source: string): string =>
  source.replace(/[^\r\n\u2028\u2029 -~]/gu, (character) => {
    const other = /\s/.test(character) ? ' ' : /\p{ID_Continue}/u.test(character) ? 'x' : '§';
    return other.repeat(character.length);
  });
