import { Packr } from 'msgpackr/pack';
import { type Codec, decodeFault } from './codec.js';
import { checkPlainMsgpack } from './msgpack-scan.js';

/**
 * Plain msgpack: no record extension (`useRecords`), and binary is copied out of the frame, so that a value never
 * changes when the frame's memory is used again. `undefined` would be a private extension; nil stands for it.
 */
const packr = new Packr({
  useRecords: false,
  variableMapSize: true,
  copyBuffers: true,
  encodeUndefinedAsNil: true,
  // A number where it is one; a bigint only beyond 2^53. The library's types do not know the word.
  int64AsType: 'auto' as 'bigint',
});

/** The library writes into memory of its own, grows it as needed, and would keep it at that size for ever. */
interface Scratch {
  useBuffer(buffer: Uint8Array): void;
}
const KEPT_BYTES = 65_536;
const FRESH_BYTES = 8_192;

/** Frame bodies under the capability `msgpack-frames-v1`: from the first frame after `connection/ready`, both ways. */
export const msgpackCodec: Codec = {
  name: 'msgpack',
  encode: (message) => {
    const body: Uint8Array = packr.pack(message);
    if (body.byteLength <= KEPT_BYTES) return body;
    // The body is a view of up to four times as much.
    (packr as unknown as Scratch).useBuffer(Buffer.allocUnsafeSlow(FRESH_BYTES));
    return body.slice();
  },
  decode: (body) => {
    try {
      checkPlainMsgpack(body);
      return packr.unpack(body);
    } catch (cause) {
      throw decodeFault(cause);
    }
  },
};
