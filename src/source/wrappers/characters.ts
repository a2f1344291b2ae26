import type { Program } from 'acorn';
import { invisibleText, quotesText } from '../messages.js';
import type { Unwrapped } from './wrapper.js';

// No-break spaces and byte-order marks are white space for JavaScript; these are not.
const invisible = /[\u00AD\u180E\u200B-\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069]/;

/** Zero-width and other invisible characters outside of strings. */
export function unhide(text: string, program: Program | undefined): Unwrapped | undefined {
  if (program !== undefined || !invisible.test(text)) return undefined;
  let result = '';
  let at = -1;
  for (const part of parts(text)) {
    const shown = part.isCode ? part.text.replace(new RegExp(invisible, 'g'), '') : part.text;
    if (shown !== part.text && at < 0) at = part.start + part.text.search(invisible);
    result += shown;
  }
  return at < 0 ? undefined : { code: 'invisible-characters', at, message: invisibleText, text: result };
}

const pairs: Readonly<Record<string, string>> = {
  '“': '”',
  '”': '”',
  '„': '“',
  '‘': '’',
  '’': '’',
  '‚': '‘',
  '«': '»',
};
const smart = /[“”„‘’‚«]/;

/** No longer string is looked for. */
const LONGEST = 2_000;
/** After so many marks without their partner the text is something else. */
const MOST_MISSES = 50;

/** Typographic quotes where strings begin and end. */
export function straighten(text: string, program: Program | undefined): Unwrapped | undefined {
  if (program !== undefined || !smart.test(text)) return undefined;
  let result = '';
  let first = -1;
  let end = 0;
  let misses = 0;
  for (const part of parts(text)) {
    if (!part.isCode || part.start + part.text.length <= end) {
      result += text.slice(Math.max(part.start, end), part.start + part.text.length);
      continue;
    }
    for (let at = Math.max(part.start, end); at < part.start + part.text.length; at += 1) {
      const close = misses < MOST_MISSES ? pairs[text.charAt(at)] : undefined;
      const length = close === undefined ? -1 : text.slice(at + 1, at + LONGEST).indexOf(close);
      const stop = at + 1 + length;
      const inner = text.slice(at + 1, stop);
      if (close === undefined || length < 0 || inner.includes('\n')) {
        if (close !== undefined) misses += 1;
        result += text.charAt(at);
        continue;
      }
      if (first < 0) first = at;
      const mark = close === '’' || close === '‘' ? "'" : '"';
      result += mark + inner.replaceAll(mark, `\\${mark}`) + mark;
      at = stop;
      end = stop + 1;
    }
  }
  return first < 0 ? undefined : { code: 'smart-quotes', at: first, message: quotesText, text: result };
}

interface Part {
  readonly start: number;
  readonly text: string;
  readonly isCode: boolean;
}

/** Code, and what is no code: strings, templates (as a whole) and comments. Good enough for text that does not parse. */
function* parts(text: string): Generator<Part> {
  const begin = /["'`]|\/[/*]/g;
  /** Up to where no string of a kind ends: none needs to be looked for again. */
  const open = new Map<string, number>();
  let done = 0;
  for (let match = begin.exec(text); match !== null; match = begin.exec(text)) {
    const { index } = match;
    const mark = match[0];
    if (index < (open.get(mark) ?? 0)) continue;
    const end = endOfPart(text, index, mark);
    if (end.isOpen) {
      open.set(mark, end.at);
      continue;
    }
    if (index > done) yield { start: done, text: text.slice(done, index), isCode: true };
    yield { start: index, text: text.slice(index, end.at), isCode: false };
    done = end.at;
    begin.lastIndex = done;
  }
  if (done < text.length) yield { start: done, text: text.slice(done), isCode: true };
}

/** A comment or a template goes on to the end of the text, a string that is still open at the end of its line is none. */
function endOfPart(text: string, start: number, mark: string): { readonly at: number; readonly isOpen: boolean } {
  if (mark === '//' || mark === '/*') {
    const end = mark === '//' ? text.indexOf('\n', start) : text.indexOf('*/', start + 2);
    return { at: end < 0 ? text.length : end + (mark === '//' ? 0 : 2), isOpen: false };
  }
  for (let at = start + 1; at < text.length; at += 1) {
    const unit = text.charAt(at);
    if (unit === mark) return { at: at + 1, isOpen: false };
    if (unit === '\n' && mark !== '`') return { at, isOpen: true };
    if (unit === '\\' && (mark === '`' || text[at + 1] !== '\n')) at += 1;
  }
  return { at: text.length, isOpen: mark !== '`' };
}
