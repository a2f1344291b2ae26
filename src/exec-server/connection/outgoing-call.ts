import { MAX_WS_MESSAGE_BYTES } from '../wire/limits.js';
import { encodeRequest } from '../wire/rpc-message.js';
import { loneSurrogate, messageTooLarge } from './messages.js';

/** `JSON.stringify` writes a lone surrogate as an escape, with an odd number of backslashes; the peer refuses those. */
const LONE_SURROGATE = /(?<!\\)(?:\\\\)*\\ud[89a-f]/;

/** The text of a request, checked so that the peer can read it: what it cannot read, it cannot answer either. */
export function encodeCall(id: number, method: string, params: unknown): string {
  const text = encodeRequest(id, method, params);
  const bytes = Buffer.byteLength(text);
  if (bytes > MAX_WS_MESSAGE_BYTES) throw messageTooLarge(method, bytes, MAX_WS_MESSAGE_BYTES);
  if (text.includes('\\ud') && LONE_SURROGATE.test(text)) throw loneSurrogate(method);
  return text;
}
