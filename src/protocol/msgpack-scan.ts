import { CodemodeError } from '../errors.js';
import { MAX_HOST_JSON_DEPTH } from './limits.js';

/** Fixed payload sizes by type byte: nil, false, true, floats, integers. */
const FIXED: { readonly [type: number]: number } = {
  192: 0,
  194: 0,
  195: 0,
  202: 4,
  203: 8,
  204: 1,
  205: 2,
  206: 4,
  207: 8,
  208: 1,
  209: 2,
  210: 4,
  211: 8,
};
/** Width of the length field of bin and str, and of the count field of array and map, by type byte. */
const SIZED: { readonly [type: number]: number } = { 196: 1, 197: 2, 198: 4, 217: 1, 218: 2, 219: 4 };
const COUNTED: { readonly [type: number]: number } = { 220: 2, 221: 4, 222: 2, 223: 4 };

/**
 * Walks one msgpack value before the library decodes it: refuses extension types (private ones make the library
 * generate code or build objects of other classes), more nesting than JSON frames may have, and a short or long body.
 */
export function checkPlainMsgpack(body: Uint8Array): void {
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  let at = 0;
  const left: number[] = [1];
  const need = (bytes: number) => {
    if (at + bytes > body.byteLength) throw fault('the value is longer than its frame', at);
  };
  const length = (width: number) => {
    need(width);
    const value = width === 1 ? view.getUint8(at) : width === 2 ? view.getUint16(at) : view.getUint32(at);
    at += width;
    return value;
  };
  const skip = (bytes: number) => {
    need(bytes);
    at += bytes;
  };
  const enter = (values: number) => {
    if (left.length > MAX_HOST_JSON_DEPTH) throw fault('recursion limit exceeded', at);
    left.push(values);
  };
  while (left.length > 0) {
    const top = left.length - 1;
    const remaining = left[top] ?? 0;
    if (remaining === 0) {
      left.pop();
      continue;
    }
    left[top] = remaining - 1;
    need(1);
    const type = view.getUint8(at++);
    if (type <= 0x7f || type >= 0xe0) continue;
    if (type <= 0x8f) enter((type & 0x0f) * 2);
    else if (type <= 0x9f) enter(type & 0x0f);
    else if (type <= 0xbf) skip(type & 0x1f);
    else if (type in FIXED) skip(FIXED[type] ?? 0);
    else if (type in SIZED) skip(length(SIZED[type] ?? 0));
    else if (type in COUNTED) enter(length(COUNTED[type] ?? 0) * (type >= 0xde ? 2 : 1));
    else throw fault(`type 0x${type.toString(16)} is not plain msgpack`, at - 1);
  }
  if (at !== body.byteLength) throw fault(`${body.byteLength - at} trailing bytes`, at);
}

function fault(what: string, offset: number): CodemodeError {
  return new CodemodeError('protocol-error', `${what} at byte ${offset}`, { data: { offset } });
}
