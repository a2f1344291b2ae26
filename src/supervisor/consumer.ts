import { CONSUMER_GRACE_MS } from '../waiting/grace.js';
import { onAbort } from '../waiting/on-abort.js';
import { startTimer } from '../waiting/timer.js';

/** Whoever takes what a cell puts out. Waited for while the cell runs: a promise that never settles must not keep it. */
export class Consumer {
  #givenUp = false;
  /** Ends the wait for the call that is under way. */
  #letGo: (() => void) | undefined;
  #stopTimer: (() => void) | undefined;
  readonly #stopListening: () => void;

  /** From `stopped` on it is waited for a little longer. */
  constructor(stopped: AbortSignal) {
    this.#stopListening = onAbort(stopped, () => this.hurry());
  }

  /** It is waited for a little longer, in all: what comes after that is handed over, and not waited for. */
  hurry(): void {
    this.#stopTimer ??= startTimer(CONSUMER_GRACE_MS, () => {
      this.#givenUp = true;
      this.#letGo?.();
    });
  }

  /** One at a time. Rejects with what the call throws; a failure that comes too late is heard by nobody. */
  async take(call: () => Promise<void> | void): Promise<void> {
    const taken = Promise.resolve(call());
    // No race: a promise that lives as long as the cell would keep something of every call until then.
    try {
      await new Promise<void>((resolve, reject) => {
        this.#letGo = resolve;
        taken.then(resolve, reject);
        if (this.#givenUp) queueMicrotask(resolve);
      });
    } finally {
      this.#letGo = undefined;
    }
  }

  dispose(): void {
    this.#stopListening();
    this.#stopTimer?.();
  }
}
