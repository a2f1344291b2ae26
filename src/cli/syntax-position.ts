import { Script } from 'node:vm';
import type { Position } from './error-position.js';

const PREFIX = 'async()=>{"use strict";';

/**
 * Hosts report a syntax error without a position. The same text is compiled here once more, never run, and believed only
 * if it fails with the same words: as a function body it is almost, but not quite, the module that the host compiled.
 */
export function syntaxPosition(source: string, errorText: string): Position | null {
  if (!errorText.startsWith('SyntaxError: ')) return null;
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
