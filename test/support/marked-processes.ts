import { readdirSync, readFileSync } from 'node:fs';
import { isAlive } from './processes.js';

/**
 * Marks everything that a run starts. A name of the `LC_` kind gets through every allow-list on the way, to the host and
 * also to the runners of our own host, whose environment is empty otherwise.
 */
export const MARK = 'LC_CODEMODE_TEST';

export interface MarkedProcess {
  readonly pid: number;
  readonly command: string;
}

/** The running processes that carry a mark; zombies have no environment any more. */
export function markedProcesses(mark: string): MarkedProcess[] {
  const found: MarkedProcess[] = [];
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      if (!readFileSync(`/proc/${name}/environ`, 'latin1').split('\0').includes(`${MARK}=${mark}`)) continue;
      const command = readFileSync(`/proc/${name}/cmdline`, 'latin1').replaceAll('\0', ' ').trim();
      if (isAlive(Number(name))) found.push({ pid: Number(name), command });
    } catch {
      // It has ended in the meantime, or is somebody else's.
    }
  }
  return found;
}

/** For the end of a test that has failed: nothing of it may disturb the next one. */
export function killMarked(mark: string): void {
  for (const { pid } of markedProcesses(mark)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It was quicker.
    }
  }
}
