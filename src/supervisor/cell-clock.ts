import { startTimer } from '../waiting/timer.js';

/** A time limit that can stand still. */
export class CellClock {
  readonly #onExpiry: () => void;
  /** What was left when it last began to run, in ms. */
  #leftMs: number;
  #since = 0;
  #stopTimer: (() => void) | undefined;
  #disposed = false;

  /** Runs at once. */
  constructor(limitMs: number, onExpiry: () => void) {
    this.#leftMs = limitMs;
    this.#onExpiry = onExpiry;
    this.run();
  }

  run(): void {
    if (this.#disposed || this.#stopTimer !== undefined) return;
    this.#since = performance.now();
    this.#stopTimer = startTimer(this.#leftMs, this.#onExpiry);
  }

  /** What is left stays. */
  stand(): void {
    if (this.#stopTimer === undefined) return;
    this.#stopTimer();
    this.#stopTimer = undefined;
    this.#leftMs = Math.max(0, this.#leftMs - (performance.now() - this.#since));
  }

  dispose(): void {
    this.stand();
    this.#disposed = true;
  }
}
