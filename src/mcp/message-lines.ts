const lineFeed = 0x0a;

/**
 * Bytes to lines, each decoded as a whole, so that it does not matter where the stream was cut. What is not UTF-8 becomes
 * U+FFFD. The time is linear in the bytes: the parts of a long line are joined once.
 */
export class MessageLines {
  readonly #limitBytes: number;
  #parts: Buffer[] = [];
  #bytes = 0;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  /** Bytes of a line that has no end yet. */
  get partial(): number {
    return this.#bytes;
  }

  /** False as soon as a line is over the limit: nothing can be read after that. */
  add(chunk: Buffer, onLine: (line: string) => void): boolean {
    let start = 0;
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, start)) {
      if (!this.#keep(chunk.subarray(start, end))) return false;
      onLine(this.#finish());
      start = end + 1;
    }
    return this.#keep(chunk.subarray(start));
  }

  #keep(bytes: Buffer): boolean {
    if (bytes.length === 0) return true;
    this.#bytes += bytes.length;
    if (this.#bytes > this.#limitBytes) {
      this.#parts = [];
      return false;
    }
    this.#parts.push(bytes);
    return true;
  }

  #finish(): string {
    const [only] = this.#parts;
    const bytes = this.#parts.length === 1 && only !== undefined ? only : Buffer.concat(this.#parts, this.#bytes);
    this.#parts = [];
    this.#bytes = 0;
    return bytes.toString('utf8');
  }
}
