import type { CodemodeError } from '../errors.js';
import { onAbort } from '../waiting/on-abort.js';
import { cancelled } from './messages.js';

/**
 * One call that waits for the host. When its signal fires it fails at once, and whoever has registered the call is told,
 * so that the host can be told. `release` takes the listener off; until then a call that has its answer can still be
 * given up, which matters for an execute that was answered but not yet taken.
 */
export class Caller<T> {
  readonly promise: Promise<T>;
  #resolve: (value: T) => void = () => undefined;
  #reject: (error: CodemodeError) => void = () => undefined;
  #onCancel: () => void = () => undefined;
  #cancelled: CodemodeError | undefined;
  readonly #release: () => void;

  constructor(signal?: AbortSignal) {
    this.promise = new Promise<T>((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    // Nobody may be listening any more when the host answers.
    this.promise.catch(() => undefined);
    this.#release = onAbort(signal, () => {
      this.#cancelled = cancelled(signal?.reason);
      this.#reject(this.#cancelled);
      this.#onCancel();
    });
  }

  /** Why the call was given up. */
  get cancelled(): CodemodeError | undefined {
    return this.#cancelled;
  }

  /** Sets who is told when the call is given up from now on. */
  onCancel(listener: () => void): void {
    this.#onCancel = listener;
  }

  resolve(value: T): void {
    this.#resolve(value);
  }

  reject(error: CodemodeError): void {
    this.#reject(error);
  }

  release(): void {
    this.#onCancel = () => undefined;
    this.#release();
  }
}
