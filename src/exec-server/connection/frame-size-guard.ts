import { MAX_WS_FRAME_BYTES } from '../wire/limits.js';

/**
 * Watches the bytes of a WebSocket for a frame that is too large, which `ws` does not know: its limit is for messages.
 * Reads the headers only. Tells of the first such frame as soon as its header is here.
 */
export class FrameSizeGuard {
  readonly #limit: number;
  readonly #onTooLarge: () => void;
  /** Header bytes so far; a header is 2 to 14 bytes long and may be cut anywhere. */
  #header: number[] = [];
  #payloadLeft = 0;
  #over = false;

  constructor(onTooLarge: () => void, limit = MAX_WS_FRAME_BYTES) {
    this.#onTooLarge = onTooLarge;
    this.#limit = limit;
  }

  add(chunk: Uint8Array): void {
    let at = 0;
    while (at < chunk.length && !this.#over) {
      if (this.#payloadLeft > 0) {
        const skipped = Math.min(this.#payloadLeft, chunk.length - at);
        this.#payloadLeft -= skipped;
        at += skipped;
      } else {
        this.#header.push(chunk[at] ?? 0);
        at++;
        this.#readHeader();
      }
    }
  }

  #readHeader(): void {
    const [, second] = this.#header;
    if (second === undefined) return;
    const short = second & 0x7f;
    const lengthBytes = short === 126 ? 2 : short === 127 ? 8 : 0;
    const maskBytes = (second & 0x80) === 0 ? 0 : 4;
    if (this.#header.length < 2 + lengthBytes + maskBytes) return;
    const long = this.#header.slice(2, 2 + lengthBytes).reduce((sum, byte) => sum * 256 + byte, 0);
    this.#payloadLeft = lengthBytes === 0 ? short : long;
    this.#header = [];
    if (this.#payloadLeft <= this.#limit) return;
    this.#over = true;
    this.#onTooLarge();
  }
}
