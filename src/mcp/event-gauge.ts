const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const letterR = 0x72;

/** Longer lines say nothing about the pause. */
const longestRetryLine = 32;

/**
 * Measures an event of a stream while it comes in, over as many chunks as it likes: an empty line ends it. On the way it
 * notes how long the server wants us to wait before the stream is taken up again.
 */
export class EventGauge {
  readonly #limitBytes: number;
  readonly #limitLines: number;
  #bytes = 0;
  #lines = 0;
  #atLineStart = true;
  #afterReturn = false;
  /** What there is of a line that may be a `retry:`; empty in all others, which are many more. */
  #retryLine = '';
  #retryMs: number | undefined;

  constructor(limitBytes: number, limitLines: number) {
    this.#limitBytes = limitBytes;
    this.#limitLines = limitLines;
  }

  /** What the last `retry:` of the stream says, in ms. */
  get retryMs(): number | undefined {
    return this.#retryMs;
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
        if (this.#atLineStart ? byte === letterR : this.#retryLine !== '') this.#keep(byte);
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
    if (this.#retryLine === '') return;
    const ms = /^retry: ?(\d+)$/.exec(this.#retryLine)?.[1];
    if (ms !== undefined) this.#retryMs = Number(ms);
    this.#retryLine = '';
  }

  #keep(byte = 0): void {
    this.#retryLine = this.#retryLine.length < longestRetryLine ? this.#retryLine + String.fromCharCode(byte) : '';
  }
}
