import { startTimer } from './timer.js';

/**
 * What the work gives, or `late` when that takes longer than the limit in ms; a limit that Node cannot count is none. The
 * work goes on: whoever started it must stop it, and a failure that comes too late is heard by nobody.
 */
export async function within<T, L>(work: Promise<T>, ms: number, late: L): Promise<T | L> {
  let stopTimer = (): void => {};
  const limit = new Promise<L>((resolve) => {
    stopTimer = startTimer(ms, () => resolve(late));
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    stopTimer();
  }
}
