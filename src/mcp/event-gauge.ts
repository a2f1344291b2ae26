const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** Measures an event of a stream while it comes in, over as many chunks as it likes: an empty line ends it. */
export class EventGauge {
  readonly #limitBytes: number;
  readonly #limitLines: number;
  #bytes = 0;
  #lines = 0;
  #atLineStart = true;
  #afterReturn = false;

  constructor(limitBytes: number, limitLines: number) {
    this.#limitBytes = limitBytes;
    this.#limitLines = limitLines;
  }

  /** False when the event that has no end yet is over a limit. */
  add(chunk: Uint8Array): boolean {
    for (let index = 0; index < chunk.length; index += 1) {
      const byte = chunk[index];
      if (byte === lineFeed) {
        if (!this.#afterReturn) this.#endLine();
        this.#afterReturn = false;
      } else if (byte === carriageReturn) {
        this.#endLine();
        this.#afterReturn = true;
      } else {
        this.#bytes += 1;
        this.#atLineStart = false;
        this.#afterReturn = false;
      }
    }
    return this.#bytes <= this.#limitBytes && this.#lines <= this.#limitLines;
  }

  #endLine(): void {
    if (this.#atLineStart) {
      this.#bytes = 0;
      this.#lines = 0;
    } else this.#lines += 1;
    this.#atLineStart = true;
  }
}
