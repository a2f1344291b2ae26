import { jsonFaults } from './messages.js';

export interface JsonFault {
  readonly line: number;
  readonly column: number;
  readonly text: string;
}

const space = /[ \t\r\n]*/y;
const scalar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|(?:true|false|null)\b/y;
const deepest = 200;

class Found extends Error {
  readonly at: number;

  constructor(at: number, text: string) {
    super(text);
    this.at = at;
  }
}

/**
 * What `JSON.parse` keeps to itself: where a text stops being JSON (Node 20 often gives no position), and a key that
 * occurs twice in one object, of which it would drop the first without a word.
 */
export function jsonFault(text: string): JsonFault | undefined {
  try {
    new Scan(text).document();
    return undefined;
  } catch (error) {
    if (!(error instanceof Found)) throw error;
    const before = text.slice(0, error.at).split('\n');
    return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1, text: error.message };
  }
}

class Scan {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  document(): void {
    this.#value(0);
    this.#skip();
    if (this.#at < this.#text.length) throw this.#expected('the end of the text');
  }

  #value(depth: number): void {
    if (depth > deepest) throw new Found(this.#at, jsonFaults.tooDeep);
    this.#skip();
    const next = this.#text[this.#at];
    if (next === '{') this.#members(depth);
    else if (next === '[') this.#elements(depth);
    else if (this.#string() === undefined && this.#take(scalar) === undefined) throw this.#expected('a value');
  }

  #members(depth: number): void {
    const seen = new Set<string>();
    this.#list('}', () => {
      const at = this.#at;
      const key = this.#string();
      if (key === undefined) throw this.#expected('a key in double quotes');
      if (seen.has(key)) throw new Found(at, jsonFaults.duplicate(key));
      seen.add(key);
      this.#skip();
      if (!this.#is(':')) throw this.#expected('`:`');
      this.#value(depth + 1);
    });
  }

  #elements(depth: number): void {
    this.#list(']', () => this.#value(depth + 1));
  }

  #list(end: string, item: () => void): void {
    this.#at += 1;
    this.#skip();
    if (this.#is(end)) return;
    for (;;) {
      this.#skip();
      item();
      this.#skip();
      if (this.#is(end)) return;
      if (!this.#is(',')) throw this.#expected(`\`,\` or \`${end}\``);
    }
  }

  #string(): string | undefined {
    const at = this.#at;
    const end = stringEnd(this.#text, at);
    if (end === undefined) return undefined;
    this.#at = end;
    try {
      // It knows the rest of what may not be in a string.
      return String(JSON.parse(this.#text.slice(at, end)));
    } catch {
      throw new Found(at, jsonFaults.badString);
    }
  }

  #is(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found !== undefined) this.#at += found.length;
    return found;
  }

  #skip(): void {
    this.#take(space);
  }

  #expected(what: string): Found {
    const next = this.#text.slice(this.#at, this.#at + 2);
    if (next === '//' || next === '/*') return new Found(this.#at, jsonFaults.comment);
    return new Found(this.#at, jsonFaults.expected(what, next === '' ? undefined : next[0]));
  }
}

/** Behind the string that begins here, if it has an end in its line. A pattern with alternatives overflows on long ones. */
function stringEnd(text: string, start: number): number | undefined {
  if (text[start] !== '"') return undefined;
  for (let at = start + 1; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') return at + 1;
    if (character === '\\') at += 1;
    if (text[at] === '\n') return undefined;
  }
  return undefined;
}
