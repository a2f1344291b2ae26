const limitBytes = 8 * 1024;

/** The last 8 KiB of what a host wrote to its stderr, however much that was. */
export class StderrTail {
  readonly #kept = Buffer.alloc(limitBytes);
  #length = 0;
  #bytes = 0;

  /** How many bytes came in all. */
  get bytes(): number {
    return this.#bytes;
  }

  add(chunk: Uint8Array): void {
    this.#bytes += chunk.length;
    const fresh = chunk.length > limitBytes ? chunk.subarray(chunk.length - limitBytes) : chunk;
    const old = Math.min(this.#length, limitBytes - fresh.length);
    this.#kept.copyWithin(0, this.#length - old, this.#length);
    this.#kept.set(fresh, old);
    this.#length = old + fresh.length;
  }

  /** Lossy: what is not UTF-8 becomes U+FFFD. A character that the cut went through is left out. */
  text(): string {
    let start = 0;
    if (this.#bytes > this.#length) {
      while (start < 3 && ((this.#kept[start] ?? 0) & 0xc0) === 0x80) start += 1;
    }
    return this.#kept.toString('utf8', start, this.#length);
  }
}
