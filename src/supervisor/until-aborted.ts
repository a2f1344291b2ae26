import { onAbort } from '../waiting/on-abort.js';
import { requestCancelled } from './messages.js';

/** Waits for shared work until this caller gives up; the work goes on for the others. */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = onAbort(signal, () => reject(requestCancelled(signal.reason)));
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    stop();
  }
}
