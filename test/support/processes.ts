import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

// `kill(pid, 0)` succeeds for a zombie, and an orphan of a container can stay one for seconds: /proc tells the truth.

interface Entry {
  readonly pid: number;
  readonly state: string;
  readonly group: number;
}

function entry(pid: number | string): Entry | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name in parentheses may hold anything, also spaces and parentheses.
    const [state = '', , group = ''] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { pid: Number(pid), state, group: Number(group) };
  } catch {
    return undefined;
  }
}

const runs = (found: Entry | undefined): found is Entry => found !== undefined && !['Z', 'X'].includes(found.state);

/** Whether a process runs; a zombie does not. */
export const isAlive = (pid: number): boolean => runs(entry(pid));

/** The running members of a process group. */
export function processesInGroup(group: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(entry)
    .filter((found) => runs(found) && found.group === group)
    .map((found) => found!.pid);
}

/** Polls a real condition; fails when it does not come true in time. */
export async function eventually(predicate: () => boolean | Promise<boolean>, limitMs = 5_000): Promise<void> {
  const end = performance.now() + limitMs;
  while (!(await predicate())) {
    if (performance.now() > end) throw new Error(`not true within ${limitMs} ms: ${predicate}`);
    await delay(5);
  }
}

/** Fails when a group still has running members. */
export const groupIsGone = (group: number): Promise<void> => eventually(() => processesInGroup(group).length === 0);
