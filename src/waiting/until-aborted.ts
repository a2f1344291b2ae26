import { onAbort } from './on-abort.js';

/** Waits for work, or rejects with the signal's reason when that comes first. The work goes on; only nobody waits for it. */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let stop = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = onAbort(signal, () => reject(signal.reason));
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    stop();
  }
}
