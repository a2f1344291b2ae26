import type { CodemodeError } from '../errors.js';
import { startTimer } from '../waiting/timer.js';
import type { PeerEnd } from './bytes.js';
import { peerLost } from './messages.js';

/** How long a pipe that broke waits for the exit status that explains it. Measured gap: 0.2 ms, at most 4.4 ms. */
export const EXIT_GRACE_MS = 100;
/** How long an exit waits for the rest of stdout; longer would be waiting for a grandchild that holds the pipe. */
const OUTPUT_GRACE_MS = 50;

/** What is known when it is over: the peer's end, the pipe's symptom, or both. */
export interface Conclusion {
  readonly end: PeerEnd | undefined;
  readonly symptom: CodemodeError | undefined;
}

/**
 * The one place where endings race. A pipe that breaks is a symptom and is held for a moment, since the peer's exit is
 * the cause and Node reports it later; an exit in turn lets buffered output in first.
 */
export class Endings {
  readonly #conclude: (conclusion: Conclusion) => void;
  #end: PeerEnd | undefined;
  #symptom: CodemodeError | undefined;
  #outputEnded = false;
  #over = false;
  #stopTimer: () => void = () => undefined;

  constructor(ended: Promise<PeerEnd>, conclude: (conclusion: Conclusion) => void) {
    this.#conclude = conclude;
    ended.then(
      (end) => this.#exited(end),
      (error: unknown) => this.symptom(peerLost(error)),
    );
  }

  /** A pipe broke, or the output ended inside a frame. The first symptom is kept. */
  symptom(error: CodemodeError): void {
    if (this.#over || this.#symptom !== undefined) return;
    this.#symptom = error;
    // After a busy time the system may have told of the exit long ago, and timers come first: one more turn to hear it.
    if (this.#end === undefined) {
      this.#stopTimer = startTimer(EXIT_GRACE_MS, () => setImmediate(() => this.#finish()));
    }
  }

  /** The peer's output ended and all of it was handled. */
  outputEnded(error: CodemodeError): void {
    this.#outputEnded = true;
    this.symptom(error);
    // Half a frame says more than a write that failed a moment before.
    if (error.code === 'protocol-error') this.#symptom = error;
    if (this.#end !== undefined) this.#finish();
  }

  stop(): void {
    this.#over = true;
    this.#stopTimer();
  }

  #exited(end: PeerEnd): void {
    if (this.#over) return;
    this.#stopTimer();
    this.#end = end;
    if (this.#outputEnded) this.#finish();
    else this.#stopTimer = startTimer(OUTPUT_GRACE_MS, () => this.#finish());
  }

  #finish(): void {
    if (this.#over) return;
    this.stop();
    this.#conclude({ end: this.#end, symptom: this.#symptom });
  }
}
