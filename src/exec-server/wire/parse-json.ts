import { CodemodeError } from '../../errors.js';
import { clip } from './clip.js';
import { InexactNumber } from './guard.js';
import { MAX_MESSAGE_DEPTH, MAX_MESSAGE_VALUES } from './limits.js';

/**
 * `JSON.parse` for messages of a stranger. On top of it: limits of depth and of number of values, no member twice, no
 * lone surrogate, and numbers that stay what they were: an integer beyond 2^53 comes back as bigint, and `1.0`, `1e3`
 * and `-0` as `InexactNumber`. Throws `protocol-error` with the complaints of the reference's parser.
 */
export function parseJson(
  source: string,
  root: 'any' | 'object' = 'any',
  maxValues: number = MAX_MESSAGE_VALUES,
): unknown {
  const odd = new Scan(source, maxValues).run(root);
  const value: unknown = JSON.parse(source);
  return odd.length === 0 ? value : withOddNumbers(value, odd);
}

type Path = readonly (string | number)[];

interface OddNumber {
  readonly path: Path;
  readonly value: bigint | InexactNumber;
}

function withOddNumbers(root: unknown, odd: readonly OddNumber[]): unknown {
  const holder = { root };
  for (const { path, value } of odd) {
    let parent: object = holder;
    let key: string | number = 'root';
    for (const step of path) {
      parent = Reflect.get(parent, key) as object;
      key = step;
    }
    Object.defineProperty(parent, key, { value, writable: true, enumerable: true, configurable: true });
  }
  return holder.root;
}

const NUMBER = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y;
/** A quote, a backslash, or a control character. */
const SPECIAL = /[^ !#-[\]-\uffff]/g;
const HEX = /^[\da-fA-F]{4}$/;
/** Letters of a key that a complaint repeats. */
const SHOWN = 256;
/** Longer integers do not fit 64 bits, and are slow to convert. */
const LONGEST_INTEGER = 20;

class Scan {
  readonly #text: string;
  readonly #path: (string | number)[] = [];
  readonly #odd: OddNumber[] = [];
  readonly #maxValues: number;
  #at = 0;
  #values = 0;

  constructor(text: string, maxValues: number) {
    this.#text = text;
    this.#maxValues = maxValues;
  }

  run(root: 'any' | 'object'): readonly OddNumber[] {
    this.#space();
    const isObject = this.#text[this.#at] === '{';
    this.#value();
    // The reference says so before it looks at what follows.
    if (root === 'object' && !isObject) throw new CodemodeError('protocol-error', 'expected a JSON-RPC object');
    this.#space();
    if (this.#at < this.#text.length) this.#fault('trailing characters');
    return this.#odd;
  }

  #space(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      this.#at++;
    }
  }

  #value(): void {
    this.#space();
    if (++this.#values > this.#maxValues) {
      this.#fault(`JSON-RPC message exceeds the limit of ${this.#maxValues} JSON values`);
    }
    const first = this.#text[this.#at];
    if (first === undefined) this.#faultBehind('EOF while parsing a value', this.#at);
    else if (first === '"') this.#string();
    else if (first === '{') this.#container(() => this.#object());
    else if (first === '[') this.#container(() => this.#array());
    else if (first === '-' || (first >= '0' && first <= '9')) this.#number();
    else this.#word();
  }

  #word(): void {
    for (const word of ['true', 'false', 'null']) {
      if (this.#text.startsWith(word, this.#at)) {
        this.#at += word.length;
        return;
      }
    }
    this.#fault('expected value');
  }

  #number(): void {
    NUMBER.lastIndex = this.#at;
    const match = NUMBER.exec(this.#text);
    if (match === null) return this.#fault('invalid number');
    const [token, fraction, exponent] = match;
    const next = this.#text.charCodeAt(this.#at + token.length);
    if (next >= 0x30 && next <= 0x39) return this.#fault('invalid number'); // a leading zero
    this.#at += token.length;
    const number = Number(token);
    if (!Number.isFinite(number)) return this.#fault('number out of range');
    const written = fraction === undefined && exponent === undefined && token !== '-0';
    if (written && Number.isSafeInteger(number)) return;
    if (!Number.isInteger(number)) return;
    const exact = written && token.length <= LONGEST_INTEGER;
    this.#odd.push({ path: [...this.#path], value: exact ? BigInt(token) : new InexactNumber(token) });
  }

  #container(inside: () => void): void {
    if (this.#path.length >= MAX_MESSAGE_DEPTH) this.#fault('recursion limit exceeded');
    this.#at++;
    inside();
    this.#at++;
  }

  #array(): void {
    for (let index = 0; ; index++) {
      this.#space();
      const next = this.#text[this.#at];
      if (next === ']' && index === 0) return;
      if (next === undefined) this.#faultBehind('EOF while parsing a list', this.#at);
      this.#path.push(index);
      this.#value();
      this.#path.pop();
      if (this.#endsWith(']', 'a list', 'expected `,` or `]`')) return;
    }
  }

  #object(): void {
    const seen = new Set<string>();
    for (;;) {
      this.#space();
      const next = this.#text[this.#at];
      if (next === '}' && seen.size === 0) return;
      if (next === undefined) this.#faultBehind('EOF while parsing an object', this.#at);
      if (next !== '"') this.#fault(next === '}' ? 'trailing comma' : 'key must be a string');
      const key = this.#key();
      if (seen.has(key)) this.#faultBehind(`duplicate JSON object key \`${clip(key, SHOWN)}\``, this.#at);
      seen.add(key);
      this.#space();
      if (this.#text[this.#at] === undefined) this.#faultBehind('EOF while parsing an object', this.#at);
      if (this.#text[this.#at] !== ':') this.#fault('expected `:`');
      this.#at++;
      this.#path.push(key);
      this.#value();
      this.#path.pop();
      if (this.#endsWith('}', 'an object', 'expected `,` or `}`')) return;
    }
  }

  /** Behind an entry: true at the end of the container, false at the next entry. */
  #endsWith(close: string, container: string, complaint: string): boolean {
    this.#space();
    const next = this.#text[this.#at];
    if (next === close) return true;
    if (next === undefined) this.#faultBehind(`EOF while parsing ${container}`, this.#at);
    if (next !== ',') this.#fault(complaint);
    this.#at++;
    this.#space();
    if (this.#text[this.#at] === close) this.#fault('trailing comma');
    return false;
  }

  #key(): string {
    const start = this.#at;
    const plain = this.#string();
    const raw = this.#text.slice(start, this.#at);
    return plain ? raw.slice(1, -1) : (JSON.parse(raw) as string);
  }

  /** True when there was no escape in it. */
  #string(): boolean {
    let plain = true;
    this.#at++;
    for (;;) {
      SPECIAL.lastIndex = this.#at;
      const special = SPECIAL.exec(this.#text);
      if (special === null) return this.#faultBehind('EOF while parsing a string', this.#text.length);
      this.#at = special.index;
      if (special[0] === '"') break;
      if (special[0] !== '\\') this.#fault('control character (\\u0000-\\u001F) found while parsing a string');
      plain = false;
      this.#escape();
    }
    this.#at++;
    return plain;
  }

  #escape(): void {
    const letter = this.#text[this.#at + 1];
    if (letter === undefined) this.#faultBehind('EOF while parsing a string', this.#text.length);
    if (letter === 'u') {
      this.#unicode();
    } else if ('"\\/bfnrt'.includes(letter ?? '?')) {
      this.#at += 2;
    } else {
      this.#at++;
      this.#fault('invalid escape');
    }
  }

  #unicode(): void {
    const unit = this.#hex();
    if (unit >= 0xdc00 && unit <= 0xdfff) this.#faultBehind('lone leading surrogate in hex escape', this.#at);
    if (unit < 0xd800 || unit > 0xdbff) return;
    if (this.#text[this.#at] !== '\\' || this.#text[this.#at + 1] !== 'u') this.#fault('unexpected end of hex escape');
    const low = this.#hex();
    if (low < 0xdc00 || low > 0xdfff) this.#faultBehind('lone leading surrogate in hex escape', this.#at);
  }

  #hex(): number {
    const digits = this.#text.slice(this.#at + 2, this.#at + 6);
    if (!HEX.test(digits)) this.#fault('invalid escape');
    this.#at += 6;
    return Number.parseInt(digits, 16);
  }

  /** At the character under the cursor. Columns count bytes, as the reference's do. */
  #fault(message: string): never {
    return this.#faultBehind(message, this.#at, 1);
  }

  /** Behind the first `end` characters. */
  #faultBehind(message: string, end: number, beyond = 0): never {
    const before = this.#text.slice(0, end);
    const start = before.lastIndexOf('\n') + 1;
    const line = before.split('\n').length;
    const column = new TextEncoder().encode(before.slice(start)).length + beyond;
    throw new CodemodeError('protocol-error', `${message} at line ${line} column ${column}`);
  }
}
