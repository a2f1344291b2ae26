import { MAX_LINE_BYTES } from '../wire/limits.js';
import { endedMidMessage, lineTooLong, notUtf8 } from './messages.js';

const LINE_FEED = 0x0a;
const BLANK = /^[ \t\r]*$/;

/**
 * Bytes to lines. Not `readline`, which also splits at CR and U+2028 and never says no. A line is decoded as a whole, so
 * it does not matter where the stream was cut. Blank lines are dropped. Throws `protocol-error` for a line that is too
 * long, or no UTF-8; nothing can be read after that.
 */
export class LineFramer {
  readonly #limit: number;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  #parts: Uint8Array[] = [];
  #bytes = 0;

  constructor(limit = MAX_LINE_BYTES) {
    this.#limit = limit;
  }

  /** The next whole line and the bytes behind it; without a line, everything was kept. */
  next(chunk: Uint8Array): { line: string | undefined; rest: Uint8Array } {
    let rest = chunk;
    for (;;) {
      const end = rest.indexOf(LINE_FEED);
      if (end === -1) {
        this.#keep(rest);
        return { line: undefined, rest: rest.subarray(rest.length) };
      }
      this.#keep(rest.subarray(0, end));
      rest = rest.subarray(end + 1);
      const line = this.#finish();
      if (!BLANK.test(line)) return { line, rest };
    }
  }

  /** A last line without an end: given back when it can be a message, else the stream broke off in the middle of one. */
  end(): string | undefined {
    if (this.#bytes === 0) return undefined;
    const bytes = this.#bytes;
    const line = this.#finish();
    if (BLANK.test(line)) return undefined;
    if (!line.trimEnd().endsWith('}')) throw endedMidMessage(bytes);
    return line;
  }

  #keep(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#bytes += bytes.length;
    if (this.#bytes > this.#limit) throw lineTooLong(this.#limit);
    this.#parts.push(bytes);
  }

  #finish(): string {
    const [only] = this.#parts;
    const bytes = this.#parts.length === 1 && only !== undefined ? only : Buffer.concat(this.#parts, this.#bytes);
    this.#parts = [];
    this.#bytes = 0;
    try {
      return this.#decoder.decode(bytes);
    } catch {
      throw notUtf8();
    }
  }
}
