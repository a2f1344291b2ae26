import { CodemodeError } from '../errors.js';

/** A tool result may have this many containers inside each other: three more stand around it in the frame. */
export const MAX_RESULT_DEPTH = 124;

/**
 * What `JSON.stringify` would write, as a value: `toJSON` is honoured, `undefined` and functions vanish, numbers that
 * JSON lacks become null. Bytes (`Uint8Array`) stay bytes with `keep`, for a codec that has them, and become base64
 * text otherwise; a cell sees base64 text either way. Throws `invalid-argument` on cycles, bigints and deep nesting.
 */
export function plainValue(value: unknown, bytes: 'keep' | 'base64', maxDepth: number = MAX_RESULT_DEPTH): unknown {
  const result = convert(value, '', bytes, maxDepth);
  return result === undefined ? null : result;
}

function convert(input: unknown, key: string, bytes: 'keep' | 'base64', levels: number): unknown {
  if (input instanceof Uint8Array) return bytes === 'keep' ? input : toBase64(input);
  const value = hasToJson(input) ? input.toJSON(key) : input;
  if (value instanceof Number || value instanceof String || value instanceof Boolean) return value.valueOf();
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      return Number.isFinite(value) ? value : null;
    case 'bigint':
      throw new CodemodeError('invalid-argument', 'a bigint cannot be handed to a cell; make it a string or a number');
    case 'object':
      break;
    default:
      return undefined;
  }
  if (value === null) return null;
  if (levels <= 0) {
    throw new CodemodeError(
      'invalid-argument',
      'the value is cyclic, or has too many objects or arrays inside each other',
    );
  }
  if (Array.isArray(value)) {
    return value.map((entry: unknown, index) => convert(entry, String(index), bytes, levels - 1) ?? null);
  }
  const entries = Object.entries(value as object).map(([name, entry]: [string, unknown]) => [
    name,
    convert(entry, name, bytes, levels - 1),
  ]);
  return Object.fromEntries(entries.filter(([, entry]) => entry !== undefined));
}

function hasToJson(value: unknown): value is { toJSON(key: string): unknown } {
  return typeof value === 'object' && value !== null && typeof (value as { toJSON?: unknown }).toJSON === 'function';
}

/** Without `Buffer`, which is Node's: in pieces, since a call takes a limited number of arguments. */
function toBase64(bytes: Uint8Array): string {
  let binary = '';
  for (let at = 0; at < bytes.length; at += 8192) binary += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(binary);
}
