import { startTimer } from '../../waiting/timer.js';
import type { StdinWriter } from './stdin-writer.js';

/** How long the answer to a write may wait for the child, and who hears that it goes on. */
export interface WriteWait {
  /** One of them fires, and nothing more is waited for. */
  readonly over: readonly AbortSignal[];
  /** Fires when others can not begin: from then on only a child that reads is waited for. */
  readonly crowded: AbortSignal;
  /** The child has read some. */
  moved(): void;
}

export interface WaitLimits {
  readonly highBytes: number;
  /** In ms: a child that has read nothing for so long does not read. */
  readonly quietMs: number;
}

/** Resolves when no more than `highBytes` wait for the child, or when it is not to be waited for. */
export async function untilRead(
  stdin: StdinWriter,
  { highBytes, quietMs }: WaitLimits,
  wait: WriteWait,
): Promise<void> {
  while (stdin.queuedBytes > highBytes && !wait.over.some((signal) => signal.aborted)) {
    // Without others there is time.
    const left = wait.crowded.aborted ? quietMs - stdin.quietMs : Number.POSITIVE_INFINITY;
    if (left <= 0) return;
    if (await progress(stdin, left, [...wait.over, wait.crowded])) wait.moved();
  }
}

/** Says whether the child has read some; else the time is up, or one of the signals has fired. */
function progress(stdin: StdinWriter, limitMs: number, signals: readonly AbortSignal[]): Promise<boolean> {
  return new Promise((resolve) => {
    const done = (progressed: boolean): void => {
      stopTimer();
      stopWaiting();
      for (const signal of signals) signal.removeEventListener('abort', interrupted);
      resolve(progressed);
    };
    const interrupted = (): void => done(false);
    const stopTimer = startTimer(limitMs, interrupted);
    for (const signal of signals) signal.addEventListener('abort', interrupted);
    const stopWaiting = stdin.onProgress(() => done(true));
  });
}
