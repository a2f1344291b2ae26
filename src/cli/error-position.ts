import type { CellSource } from './cell-source.js';
import { unshowableText } from './messages.js';
import { printable } from './printable.js';
import { syntaxPosition } from './syntax-position.js';

export interface Position {
  readonly line: number;
  readonly column: number;
}

export interface CellErrorReport {
  /** The error text with every position named as in the user's file. */
  readonly message: string;
  readonly position: Position | null;
}

/** What hosts call the module of a cell. */
const MODULE = 'exec_main.mjs';
const FRAME = /^\s+at .*?\bexec_main\.mjs:(\d+):(\d+)/m;

/** Maps a cell's error text to the file it came from; lines and columns are already those of the source as sent. */
export function locateError(cell: Pick<CellSource, 'label' | 'source'>, errorText: string): CellErrorReport {
  // Hosts have no words for a value that throws when it is looked at.
  if (errorText.trim() === '') return { message: unshowableText, position: null };
  const message = errorText
    .split('\n')
    .map((line) => (/^\s+at /.test(line) ? line.replaceAll(`${MODULE}:`, `${cell.label}:`) : line))
    .join('\n');
  const frame = FRAME.exec(errorText);
  const position = frame === null ? syntaxPosition(cell.source, errorText) : inside(cell.source, frame[1], frame[2]);
  return { message, position };
}

/** A `sourceURL` comment or the cell itself can make up any position. */
function inside(source: string, line: string | undefined, column: string | undefined): Position | null {
  const position = { line: Number(line), column: Number(column) };
  const text = sourceLine(source, position.line);
  return text !== undefined && position.column >= 1 && position.column <= text.length + 1 ? position : null;
}

const WIDTH = 100;

/** The line in question and a caret under the column; of a very long line only the surroundings. */
export function codeFrame(source: string, position: Position): string {
  const text = sourceLine(source, position.line) ?? '';
  const at = position.column - 1;
  const from = at > WIDTH - 20 ? at - WIDTH / 2 : 0;
  const shown = printable(text.slice(from, from + WIDTH));
  // Tabs stay tabs, so that the caret stands where the terminal puts the character.
  const padding = printable(text.slice(from, at)).replace(/[^\t]/g, ' ');
  return `${shown}\n${padding}^`;
}

/** The four line ends of JavaScript. */
const sourceLine = (source: string, line: number): string | undefined =>
  source.split(/\r\n|[\n\r\u2028\u2029]/)[line - 1];
