import { onAbort } from './on-abort.js';
import { startTimer } from './timer.js';

export interface Deadline {
  readonly signal: AbortSignal;
  /** To be called in `finally`. */
  clear(): void;
}

/**
 * Aborted with what `late` gives when the time (ms) is over, or with the reason of `signal`, whichever comes first. A limit
 * that Node cannot count is none.
 */
export function deadline(ms: number, late: () => Error, signal?: AbortSignal): Deadline {
  const controller = new AbortController();
  const stopTimer = startTimer(ms, () => controller.abort(late()));
  const stopListening = onAbort(signal, () => controller.abort(signal?.reason));
  return {
    signal: controller.signal,
    clear() {
      stopTimer();
      stopListening();
    },
  };
}
