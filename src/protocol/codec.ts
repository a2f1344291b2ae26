import { CodemodeError } from '../errors.js';
import { parseStrictJson } from './strict-json.js';

/** How a frame's body is written. `decode` gives a value that still has to pass a guard. */
export interface Codec {
  readonly name: 'json' | 'msgpack';
  encode(message: object): Uint8Array;
  /** Throws `protocol-error` when the body is not one whole value. */
  decode(body: Uint8Array): unknown;
}

const encoder = new TextEncoder();
// A byte-order mark must reach the parser, which refuses it.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export function decodeFault(cause: unknown): CodemodeError {
  const message = cause instanceof Error ? cause.message : String(cause);
  return new CodemodeError('protocol-error', `failed to decode code-mode IPC frame: ${message}`, { cause });
}

/** How `JSON.stringify` writes a lone surrogate; a pair it leaves as it is. */
const LONE_SURROGATE = /(?<!\\)((?:\\\\)*)\\ud[89a-f][\da-f]{2}/g;

/** JSON has no bigint, so an id that needs one is written as its digits; lone surrogates, which kill a host, become U+FFFD. */
function encodeJson(message: object): string {
  const id: unknown = (message as { id?: unknown }).id;
  const text =
    typeof id === 'bigint'
      ? JSON.stringify({ ...message, id: 0 }).replace('"id":0', `"id":${id}`)
      : JSON.stringify(message);
  return text.includes('\\ud') ? text.replace(LONE_SURROGATE, '$1\ufffd') : text;
}

function makeJsonCodec(from: 'host' | 'client'): Codec {
  return {
    name: 'json',
    encode: (message) => encoder.encode(encodeJson(message)),
    decode: (body) => {
      try {
        return parseStrictJson(decoder.decode(body), from);
      } catch (cause) {
        throw decodeFault(cause);
      }
    },
  };
}

/** For a client: decodes what hosts send. */
export const jsonCodec: Codec = makeJsonCodec('host');

/** For a host: decodes what clients send, where the results of tools come as `RawJson`. */
export const hostJsonCodec: Codec = makeJsonCodec('client');
