import { onAbort } from '../waiting/on-abort.js';
import { CellClock } from './cell-clock.js';

export type StopReason = 'timeout' | 'cancelled' | 'abandoned';

/** The time limit and the caller's signal of one cell, as one switch that is thrown at most once. */
export class CellStop {
  readonly #abort = new AbortController();
  readonly #clock: CellClock;
  readonly #stopListening: () => void;
  #reason: StopReason | null = null;
  #cause: unknown;

  constructor(timeoutMs: number, caller: AbortSignal | undefined) {
    this.#clock = new CellClock(timeoutMs, () => this.press('timeout'));
    this.#stopListening =
      caller === undefined ? () => undefined : onAbort(caller, () => this.press('cancelled', caller.reason));
  }

  get reason(): StopReason | null {
    return this.#reason;
  }

  get cause(): unknown {
    return this.#cause;
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  press(reason: StopReason, cause?: unknown): void {
    if (this.#reason !== null) return;
    this.#reason = reason;
    this.#cause = cause;
    this.#abort.abort(cause);
  }

  /** While the cell is held its time does not run. */
  hold(held: boolean): void {
    if (held) this.#clock.stand();
    else this.#clock.run();
  }

  dispose(): void {
    this.#clock.dispose();
    this.#stopListening();
  }
}
