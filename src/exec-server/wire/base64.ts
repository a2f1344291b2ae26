import { CodemodeError } from '../../errors.js';

const STRANGE = /[^A-Za-z0-9+/]/;
/** Per remainder of the unpadded length by four: last symbols that leave no bits over. */
const CLEAN_ENDS: Readonly<Record<number, RegExp>> = { 2: /[AQgw]$/, 3: /[AEIMQUYcgkosw048]$/ };

export function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}

/** How long their base64 is. */
export const base64Length = (bytes: number): number => Math.ceil(bytes / 3) * 4;

/** Bytes that become base64 when the message around them is written: until then they cost no more than they are. */
export class LateBase64 {
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  toJSON(): string {
    return toBase64(this.#bytes);
  }
}

/**
 * The standard alphabet, padded, without white space and with zero bits at the end; `Buffer` takes much more. Throws
 * `protocol-error` in the reference's words.
 */
export function fromBase64(value: string): Buffer {
  const complaint = complaintAbout(value);
  if (complaint !== undefined) throw new CodemodeError('protocol-error', complaint);
  return Buffer.from(value, 'base64');
}

/** Only searches: one expression for the whole text exhausts the stack at 20 MB. */
function complaintAbout(value: string): string | undefined {
  const unpadded = value.endsWith('==') ? value.slice(0, -2) : value.endsWith('=') ? value.slice(0, -1) : value;
  const strange = STRANGE.exec(unpadded);
  if (strange !== null) return `Invalid symbol ${unpadded.codePointAt(strange.index)}, offset ${strange.index}.`;
  const rest = unpadded.length % 4;
  if (rest === 1 && unpadded.length === value.length) return `Invalid input length: ${value.length}`;
  const last = unpadded.length - 1;
  if (CLEAN_ENDS[rest]?.test(unpadded.slice(last)) === false) {
    return `Invalid last symbol ${unpadded.charCodeAt(last)}, offset ${last}.`;
  }
  return value.length % 4 === 0 && rest !== 1 ? undefined : 'Invalid padding';
}
