import { createHook, executionAsyncResource } from 'node:async_hooks';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { killOurselves } from './process-group.js';

/** How long work on files that is under way may go on without any progress, and how long with some. */
const FILE_PATIENCE_MS = 1_000;
const FILE_LIMIT_MS = 10_000;
const LOOK_EVERY_MS = 10;

/**
 * For a program that is about to end. Node waits for its threads then, and a file system that does not answer holds one for
 * ever: resolves when no work on files is under way, and kills this program when there is some of which nothing has ended for
 * `patienceMs` milliseconds, or after 10 s: with `signal`, the one because of which it ends, or with SIGKILL. To be called
 * last, when everything that was started is dead and everything that was to be said is said.
 */
export async function endOfFileWork(signal?: NodeJS.Signals, patienceMs: number = FILE_PATIENCE_MS): Promise<void> {
  let idle = 0;
  const progress = (): void => {
    if (/^(FSReq|FileHandleCloseReq|ReadFileJob)/.test(executionAsyncResource().constructor?.name ?? '')) idle = 0;
  };
  const hook = createHook({ after: progress });
  // Looks are counted, not time: on a busy machine neither we nor our threads may have had a turn.
  for (let looks = 0; worksOnFiles(); looks++, idle++) {
    if (looks === 0) hook.enable();
    if (idle * LOOK_EVERY_MS >= patienceMs || looks * LOOK_EVERY_MS >= FILE_LIMIT_MS) killOurselves(signal);
    await pause(LOOK_EVERY_MS);
  }
  hook.disable();
}

/** Whether a thread of this program has to do with a file at this moment, for which `process.exit` would wait. */
export const worksOnFiles = (): boolean =>
  process.getActiveResourcesInfo().some((name) => name.startsWith('FSReq') || name === 'FileHandleCloseReq') ||
  hasHeldThread();

/**
 * Node 26 does not list the files that `fs/promises` reads. Linux tells where a thread waits: one of the pool that is idle
 * waits for a futex, one that asks for an address polls.
 */
function hasHeldThread(): boolean {
  try {
    return readdirSync('/proc/self/task').some((id) => {
      const about = (file: string): string => readFileSync(`/proc/self/task/${id}/${file}`, 'latin1').trim();
      return about('comm') === 'libuv-worker' && !/^(0?$|futex)|poll/.test(about('wchan'));
    });
  } catch {
    return false;
  }
}
