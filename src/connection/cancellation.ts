import { setMaxListeners } from 'node:events';
import { CodemodeError, type ErrorData } from '../errors.js';

/** The one token of a connection. The first reason wins; every part that waits gets that reason. */
export class Cancellation {
  readonly #controller = new AbortController();
  readonly #facts: () => ErrorData;

  /** `facts` are added to the data of whatever the reason is. */
  constructor(facts: () => ErrorData = () => ({})) {
    this.#facts = facts;
    setMaxListeners(0, this.#controller.signal);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Why the connection is dead; undefined while it lives. */
  get reason(): CodemodeError | undefined {
    return this.signal.aborted ? (this.signal.reason as CodemodeError) : undefined;
  }

  /** Listeners run before this returns. A second reason changes nothing. */
  cancel(reason: CodemodeError): void {
    if (this.signal.aborted) return;
    const data = { ...this.#facts(), ...reason.data };
    this.#controller.abort(new CodemodeError(reason.code, reason.message, { cause: reason.cause, data }));
  }
}
