import { CodemodeError } from '../errors.js';
import { MAX_HOST_JSON_DEPTH, MAX_JSON_DEPTH } from './limits.js';

/** Below these keys any JSON is allowed, also repeated keys: the values belong to tools and models. */
const OPAQUE_KEYS: ReadonlySet<string> = new Set(['result', 'input', 'input_schema', 'output_schema']);
const LONE_SURROGATE = /\\u[dD][89abAB][\da-fA-F]{2}(?!\\u[dD][c-fC-F][\da-fA-F]{2})|\\u[dD][c-fC-F][\da-fA-F]{2}/g;

function fault(message: string): CodemodeError {
  return new CodemodeError('protocol-error', message);
}

/**
 * `JSON.parse`, and on top of it what the reference's parser asks of a frame: a limit to the containers inside each
 * other, no lone surrogate escape, no key twice in an envelope, ids that are integers. Ids beyond 2^53-1 come back
 * as bigint, so that they can be echoed digit by digit; a client's tool results come as `RawJson`.
 */
export function parseStrictJson(text: string, from: 'host' | 'client'): unknown {
  const value: unknown = JSON.parse(text);
  if (text.includes('\\u')) refuseLoneSurrogates(text);
  const { id, result } = new Scan(text, from === 'host' ? MAX_HOST_JSON_DEPTH : MAX_JSON_DEPTH).run();
  if (typeof value !== 'object' || value === null) return value;
  const message = value as { id?: unknown; result?: { value?: { result?: unknown } } };
  if (id !== undefined) message.id = id;
  if (from === 'client' && result !== undefined && typeof message.result?.value === 'object') {
    message.result.value.result = new RawJson(result);
  }
  return value;
}

/** JSON text that was found valid and is passed on as it is, because encoding a large value again costs more than all else. */
export class RawJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

function refuseLoneSurrogates(text: string): void {
  for (const match of text.matchAll(LONE_SURROGATE)) {
    const at = match.index;
    let slashes = 0;
    while (text[at - 1 - slashes] === '\\') slashes++;
    if (slashes % 2 === 1) continue; // an escaped backslash before "u": no escape at all
    const isLow = /^[c-fC-F]/.test(match[0].slice(3));
    const before = text.slice(Math.max(0, at - 6), at);
    if (isLow && /^\\u[dD][89abAB][\da-fA-F]{2}$/.test(before)) continue; // second half of a pair
    throw fault(`lone surrogate escape at offset ${at}`);
  }
}

/** One pass over text that `JSON.parse` has accepted. */
class Scan {
  readonly #text: string;
  readonly #maxDepth: number;
  #at = 0;
  #depth = 0;
  #id: bigint | undefined;
  /** Text of the value of a tool result, the `result` three objects deep. */
  #result: string | undefined;

  constructor(text: string, maxDepth: number) {
    this.#text = text;
    this.#maxDepth = maxDepth;
  }

  run(): { id: bigint | undefined; result: string | undefined } {
    this.#value(false);
    return { id: this.#id, result: this.#result };
  }

  #space(): void {
    while (this.#text.charCodeAt(this.#at) <= 0x20) this.#at++;
  }

  #value(opaque: boolean): void {
    this.#space();
    const first = this.#text[this.#at];
    if (first === '"') this.#string();
    else if (first === '{') this.#container('}', opaque);
    else if (first === '[') this.#container(']', opaque);
    else while (this.#at < this.#text.length && !',]} \n\r\t'.includes(this.#text[this.#at] ?? ',')) this.#at++;
  }

  #container(close: '}' | ']', opaque: boolean): void {
    this.#depth++;
    if (this.#depth > this.#maxDepth) throw fault(`recursion limit exceeded at offset ${this.#at}`);
    this.#at++;
    const seen = close === '}' && !opaque ? new Set<string>() : undefined;
    for (;;) {
      this.#space();
      const next = this.#text[this.#at];
      if (next === close || next === undefined) break;
      if (next === ',') this.#at++;
      else if (close === ']') this.#value(opaque);
      else this.#member(opaque, seen);
    }
    this.#at++;
    this.#depth--;
  }

  #member(opaque: boolean, seen: Set<string> | undefined): void {
    const start = this.#at;
    this.#string();
    const raw = this.#text.slice(start, this.#at);
    this.#space();
    this.#at++; // the colon
    if (seen === undefined) {
      this.#value(opaque);
      return;
    }
    const key = JSON.parse(raw) as string;
    if (seen.has(key)) throw fault(`duplicate field \`${key}\``);
    seen.add(key);
    this.#space();
    const valueStart = this.#at;
    // The envelope's own `result` is not opaque: only the one inside a tool result is (three objects deep).
    this.#value(key === 'result' ? this.#depth >= 3 : OPAQUE_KEYS.has(key));
    if (key === 'result' && this.#depth === 3) this.#result = this.#text.slice(valueStart, this.#at);
    if (key === 'id' && this.#depth === 1) this.#checkId(this.#text.slice(valueStart, this.#at));
  }

  #checkId(token: string): void {
    if (!/^-?\d+$/.test(token)) {
      if (/^-?\d/.test(token)) throw fault(`invalid value at \`id\`: expected a 64-bit integer, got ${token}`);
      return; // not a number at all: the guard says so
    }
    if (!Number.isSafeInteger(Number(token))) this.#id = BigInt(token);
  }

  #string(): void {
    let at = this.#at + 1;
    for (;;) {
      const quote = this.#text.indexOf('"', at);
      let slashes = 0;
      while (this.#text.charCodeAt(quote - 1 - slashes) === 0x5c) slashes++;
      at = quote + 1;
      if (slashes % 2 === 0) break;
    }
    this.#at = at;
  }
}
