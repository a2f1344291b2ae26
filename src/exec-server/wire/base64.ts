import { CodemodeError } from '../../errors.js';

const STRICT = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
/** Per remainder of the unpadded length by four: last symbols that leave no bits over. */
const CLEAN_ENDS: Readonly<Record<number, RegExp>> = { 2: /[AQgw]$/, 3: /[AEIMQUYcgkosw048]$/ };

export function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}

/**
 * The standard alphabet, padded, without white space and with zero bits at the end; `Buffer` takes much more. Throws
 * `protocol-error` in the reference's words.
 */
export function fromBase64(value: string): Buffer {
  if (!isStrict(value)) throw new CodemodeError('protocol-error', complaint(value));
  return Buffer.from(value, 'base64');
}

function isStrict(value: string): boolean {
  if (value.length % 4 !== 0 || !STRICT.test(value)) return false;
  const unpadded = value.endsWith('==') ? value.length - 2 : value.endsWith('=') ? value.length - 1 : value.length;
  return CLEAN_ENDS[unpadded % 4]?.test(value.slice(unpadded - 1, unpadded)) ?? true;
}

function complaint(value: string): string {
  const unpadded = value.replace(/={1,2}$/, '');
  const strange = /[^A-Za-z0-9+/]/.exec(unpadded);
  if (strange !== null) return `Invalid symbol ${unpadded.codePointAt(strange.index)}, offset ${strange.index}.`;
  const rest = unpadded.length % 4;
  if (rest === 1 && unpadded.length === value.length) return `Invalid input length: ${value.length}`;
  const last = unpadded.length - 1;
  if (CLEAN_ENDS[rest]?.test(unpadded) === false) {
    return `Invalid last symbol ${unpadded.charCodeAt(last)}, offset ${last}.`;
  }
  return 'Invalid padding';
}
