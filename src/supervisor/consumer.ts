import { CONSUMER_GRACE_MS } from '../waiting/grace.js';
import { onAbort } from '../waiting/on-abort.js';
import { startTimer } from '../waiting/timer.js';

/** Whoever takes what a cell puts out. Waited for while the cell runs: a promise that never settles must not keep it. */
export class Consumer {
  #giveUp = (): void => undefined;
  readonly #givenUp = new Promise<void>((resolve) => {
    this.#giveUp = resolve;
  });
  #stopTimer: (() => void) | undefined;
  readonly #stopListening: () => void;

  /** From `stopped` on it is waited for a little longer. */
  constructor(stopped: AbortSignal) {
    this.#stopListening = onAbort(stopped, () => this.hurry());
  }

  /** It is waited for a little longer, in all: what comes after that is handed over, and not waited for. */
  hurry(): void {
    this.#stopTimer ??= startTimer(CONSUMER_GRACE_MS, this.#giveUp);
  }

  /** Rejects with what the call throws; a failure that comes too late is heard by nobody. */
  async take(call: () => Promise<void> | void): Promise<void> {
    await Promise.race([call(), this.#givenUp]);
  }

  dispose(): void {
    this.#stopListening();
    this.#stopTimer?.();
  }
}
