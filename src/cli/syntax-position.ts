import { Script } from 'node:vm';
import { LineIndex } from '../source/position.js';
import { parseCell } from '../source/syntax.js';
import type { Position } from './error-position.js';

/** Hosts report a syntax error without a position: the same text is read here once more, and never run. */
export function syntaxPosition(source: string, errorText: string): Position | null {
  if (!errorText.startsWith('SyntaxError: ')) return null;
  return compiledPosition(source, errorText) ?? parsedPosition(source);
}

const PREFIX = 'async()=>{"use strict";';

/**
 * As the host's engine sees it, who is believed only with the same words: as a function body the text is almost, but not
 * quite, the module that the host compiled.
 */
function compiledPosition(source: string, errorText: string): Position | null {
  try {
    new Script(`${PREFIX}${source.replace(/^\uFEFF?#!/, '//')}\n}`, { filename: 'cell', columnOffset: -PREFIX.length });
    return null;
  } catch (error) {
    if (!(error instanceof SyntaxError) || `SyntaxError: ${error.message}` !== errorText.trimEnd()) return null;
    const match = /^cell:(\d+)\n.*\n( *)\^/.exec(error.stack ?? '');
    if (match === null) return null;
    const line = Number(match[1]);
    const column = (match[2] ?? '').length + 1 - (line === 1 ? PREFIX.length : 0);
    return column >= 1 ? { line, column } : null;
  }
}

/** Where a parser stumbles that reads modules, though it says so in other words. */
function parsedPosition(source: string): Position | null {
  try {
    const parsed = parseCell(source);
    if (parsed.program !== undefined) return null;
    // What is missing at the end is shown behind the last word, not below it.
    return new LineIndex(source).at(Math.min(parsed.at, source.trimEnd().length));
  } catch {
    // Too deeply nested to be read.
    return null;
  }
}
