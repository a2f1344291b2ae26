import { setTimeout as pause } from 'node:timers/promises';
import { killOurselves } from './process-group.js';

/** How long work on files that is under way may still take. */
const FILE_PATIENCE_MS = 1_000;
const LOOK_EVERY_MS = 10;

/**
 * For a program that is about to end. Node waits for its threads then, and a file system that does not answer holds one for
 * ever: resolves when no work on files is under way, and kills this program (SIGKILL) when some still is after `patienceMs`
 * milliseconds. To be called last, when everything that was started is dead and everything that was to be said is said.
 */
export async function endOfFileWork(patienceMs: number = FILE_PATIENCE_MS): Promise<void> {
  const end = performance.now() + patienceMs;
  while (worksOnFiles() && performance.now() < end) await pause(LOOK_EVERY_MS);
  if (worksOnFiles()) killOurselves();
}

const worksOnFiles = (): boolean =>
  process.getActiveResourcesInfo().some((name) => name.startsWith('FSReq') || name === 'FileHandleCloseReq');
