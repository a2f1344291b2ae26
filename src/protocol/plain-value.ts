import { CodemodeError } from '../errors.js';
import { MAX_FRAME_BYTES } from './limits.js';
import { bigintText, nestedText, tooMuchText } from './messages.js';

/** A tool result may have this many containers inside each other: three more stand around it in the frame. */
export const MAX_RESULT_DEPTH = 124;

/**
 * What `JSON.stringify` would write, as a value: `toJSON` is honoured, `undefined` and functions vanish, numbers that
 * JSON lacks become null. Bytes (`Uint8Array`) stay bytes with `keep`, for a codec that has them, and become base64
 * text otherwise; a cell sees base64 text either way. Throws `invalid-argument` on cycles, bigints and deep nesting, and
 * `frame-too-large` as soon as it is certain that no frame can hold it.
 */
export function plainValue(value: unknown, bytes: 'keep' | 'base64', maxDepth: number = MAX_RESULT_DEPTH): unknown {
  const result = new PlainCopy(bytes).of(value, '', maxDepth);
  return result === undefined ? null : result;
}

/** Millions of small objects are copied here, so nothing is made for one that its copy does not need. */
class PlainCopy {
  readonly #bytes: 'keep' | 'base64';
  /** Bytes that it takes at least, whatever the codec. */
  #size = 0;

  constructor(bytes: 'keep' | 'base64') {
    this.#bytes = bytes;
  }

  of(value: unknown, key: string | number, levels: number): unknown {
    switch (typeof value) {
      case 'string':
        this.#size += value.length + 1;
        return value;
      case 'object':
        if (value !== null) return this.#object(value, key, levels);
        this.#size += 1;
        return null;
      case 'number':
        this.#size += 1;
        return Number.isFinite(value) ? value : null;
      case 'boolean':
        this.#size += 1;
        return value;
      case 'bigint':
        throw new CodemodeError('invalid-argument', bigintText);
      default:
        return undefined;
    }
  }

  #object(value: object, key: string | number, levels: number): unknown {
    if (value instanceof Uint8Array) {
      this.#size += value.byteLength;
      return this.#bytes === 'keep' ? value : toBase64(value);
    }
    const { toJSON } = value as { readonly toJSON?: unknown };
    const plain: unknown = typeof toJSON === 'function' ? toJSON.call(value, String(key)) : value;
    if (typeof plain !== 'object' || plain === null) return this.of(plain, key, levels);
    if (plain instanceof Number || plain instanceof String || plain instanceof Boolean)
      return this.of(plain.valueOf(), key, levels);
    if (levels <= 0) throw new CodemodeError('invalid-argument', nestedText);
    this.#size += 1;
    return Array.isArray(plain) ? this.#list(plain, levels - 1) : this.#record(plain, levels - 1);
  }

  #list(values: readonly unknown[], levels: number): unknown[] {
    const copy: unknown[] = [];
    for (let at = 0; at < values.length; at++) {
      const entry = this.of(values[at], at, levels);
      if (entry === undefined) this.#size += 1;
      copy.push(entry === undefined ? null : entry);
      this.#checkSize();
    }
    return copy;
  }

  #record(value: object, levels: number): object {
    const fields = value as { readonly [name: string]: unknown };
    const copy: { [name: string]: unknown } = {};
    for (const name of Object.keys(fields)) {
      const entry = this.of(fields[name], name, levels);
      if (entry === undefined) continue;
      this.#size += name.length + 1;
      if (name === '__proto__') Object.defineProperty(copy, name, { ...DATA, value: entry });
      else copy[name] = entry;
      this.#checkSize();
    }
    return copy;
  }

  /** Looked at between the parts of a value: how large a single text is, the codec tells. */
  #checkSize(): void {
    if (this.#size <= MAX_FRAME_BYTES) return;
    const data = { limit: MAX_FRAME_BYTES };
    throw new CodemodeError('frame-too-large', tooMuchText(MAX_FRAME_BYTES), { data });
  }
}

/** An assignment would set the prototype. */
const DATA = { enumerable: true, configurable: true, writable: true } as const;

/** Without `Buffer`, which is Node's: in pieces, since a call takes a limited number of arguments. */
function toBase64(bytes: Uint8Array): string {
  let binary = '';
  for (let at = 0; at < bytes.length; at += 8192) binary += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(binary);
}
