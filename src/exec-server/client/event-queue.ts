import type { CodemodeError } from '../../errors.js';
import { type ProcessEvent, sizeOf } from './process-event.js';

/** Events that wait for one reader. */
export class EventQueue {
  #events: ProcessEvent[] = [];
  /** Those in front of it were read: taking each out of the array would move all others. */
  #read = 0;
  readonly #onTaken: () => void;
  #bytes = 0;
  #ended = false;
  #failure: CodemodeError | undefined;
  #wake: (() => void)[] = [];

  /** `onTaken` is called whenever the reader took something. */
  constructor(onTaken: () => void) {
    this.#onTaken = onTaken;
  }

  /** What the events take that wait. */
  get bytes(): number {
    return this.#bytes;
  }

  put(events: readonly ProcessEvent[]): void {
    if (events.length === 0 || this.#ended) return;
    for (const event of events) {
      this.#events.push(event);
      this.#bytes += sizeOf(event);
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
      const value = this.#take();
      if (value !== undefined) {
        this.#bytes -= sizeOf(value);
        this.#onTaken();
        return { value, done: false };
      }
      if (this.#failure !== undefined) throw this.#failure.copy();
      if (this.#ended) return { value: undefined, done: true };
      await new Promise<void>((resolve) => this.#wake.push(resolve));
    }
  }

  #take(): ProcessEvent | undefined {
    const value = this.#events[this.#read];
    if (value === undefined) return undefined;
    // What was read is not held until the array is cut.
    this.#events[this.#read] = taken;
    this.#read += 1;
    if (this.#read > 1_000 && this.#read * 2 > this.#events.length) {
      this.#events = this.#events.slice(this.#read);
      this.#read = 0;
    }
    return value;
  }

  #alert(): void {
    const waiting = this.#wake;
    this.#wake = [];
    for (const resolve of waiting) resolve();
  }
}

const taken: ProcessEvent = { type: 'closed' };
