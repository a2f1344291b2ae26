import type { CodemodeError } from '../../errors.js';
import type { ProcessEvent } from './process-event.js';

/** Events that wait for one reader. */
export class EventQueue {
  readonly #events: ProcessEvent[] = [];
  readonly #onTaken: () => void;
  #bytes = 0;
  #ended = false;
  #failure: CodemodeError | undefined;
  #wake: (() => void)[] = [];

  /** `onTaken` is called whenever the reader took something. */
  constructor(onTaken: () => void) {
    this.#onTaken = onTaken;
  }

  /** Output that waits. */
  get bytes(): number {
    return this.#bytes;
  }

  put(events: readonly ProcessEvent[]): void {
    if (events.length === 0 || this.#ended) return;
    for (const event of events) {
      this.#events.push(event);
      if (event.type === 'output') this.#bytes += event.bytes.length;
      if (event.type === 'closed') this.#ended = true;
    }
    this.#alert();
  }

  /** What waits is still read; then the reader gets this. */
  fail(failure: CodemodeError): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#failure = failure;
    this.#alert();
  }

  async next(): Promise<IteratorResult<ProcessEvent, undefined>> {
    for (;;) {
      const value = this.#events.shift();
      if (value !== undefined) {
        if (value.type === 'output') this.#bytes -= value.bytes.length;
        this.#onTaken();
        return { value, done: false };
      }
      if (this.#failure !== undefined) throw this.#failure.copy();
      if (this.#ended) return { value: undefined, done: true };
      await new Promise<void>((resolve) => this.#wake.push(resolve));
    }
  }

  #alert(): void {
    const waiting = this.#wake;
    this.#wake = [];
    for (const resolve of waiting) resolve();
  }
}
