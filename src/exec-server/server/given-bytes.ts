import { fromBase64 } from '../wire/index.js';

/** The bytes of a param that is base64; what is wrong with one that is none goes into the answer. */
export function bytesOfBase64(text: string, refusal: (why: string) => Error): Buffer {
  try {
    return fromBase64(text);
  } catch (error) {
    throw refusal(error instanceof Error ? error.message : String(error));
  }
}
