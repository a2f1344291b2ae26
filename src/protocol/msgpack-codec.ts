import { Packr } from 'msgpackr/pack';
import { type Codec, decodeFault } from './codec.js';
import { checkPlainMsgpack } from './msgpack-scan.js';

/**
 * Plain msgpack: no record extension (`useRecords`), and binary is copied out of the frame, so that a value never
 * changes when the frame's memory is used again. `undefined` would be a private extension; nil stands for it.
 */
const packr = new Packr({ useRecords: false, variableMapSize: true, copyBuffers: true, encodeUndefinedAsNil: true });

/** Frame bodies under the capability `msgpack-frames-v1`: from the first frame after `connection/ready`, both ways. */
export const msgpackCodec: Codec = {
  name: 'msgpack',
  // The library hands out a view of memory that it goes on writing to once this array is full.
  encode: (message) => packr.pack(message),
  decode: (body) => {
    try {
      checkPlainMsgpack(body);
      return packr.unpack(body);
    } catch (cause) {
      throw decodeFault(cause);
    }
  },
};
