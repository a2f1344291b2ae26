import { Families, type Member, type TreeRoot } from './families.js';
import { latestNumber, processAt } from './process-list.js';
import { signalProcess } from './signals.js';

const MAX_ROUNDS = 12;
/** How long we follow a process that forks and leaves faster than a round takes, and how far behind it we look. */
const CHASE_MS = 40;
const CHASE_NUMBERS = 24;
/** Where nothing was found: what becomes another program just now shows no mark for a moment. */
const GLANCE_MS = 8;

/**
 * SIGKILL to everything that descends from the roots. All are stopped first, so that none can fork while we count. Linux
 * only. A process that hops, from child to child of its own, may be between two of them whenever we look: ask again later.
 */
export function killTrees(roots: readonly TreeRoot[]): number {
  if (roots.length === 0) return 0;
  const families = new Families(roots);
  const stopped = new Map<number, Member>();
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const fresh = families.members(stopped).filter(({ pid, start }) => stopped.get(pid)?.start !== start);
    if (fresh.length === 0) {
      if (!families.marked || round > 0 || chase(families, stopped, GLANCE_MS) === 0) break;
    }
    let missed = false;
    for (const one of fresh) {
      stopped.set(one.pid, one);
      if (!signalProcess(one, 'SIGSTOP')) missed = true;
    }
    // What forks as others do is caught in the second round at the latest.
    if (families.marked && (missed || round >= 2)) chase(families, stopped, CHASE_MS);
  }
  for (const one of stopped.values()) signalProcess(one, 'SIGKILL');
  return stopped.size;
}

/** Which of the roots have anything left. */
export const livingRoots = (roots: readonly TreeRoot[]): ReadonlySet<TreeRoot> =>
  new Set(roots.length === 0 ? [] : new Families(roots).members().map(({ root }) => root));

/** Looks at the latest numbers only, which is faster than a fork. */
function chase(families: Families, stopped: Map<number, Member>, ms: number): number {
  const end = performance.now() + ms;
  let caught = 0;
  while (performance.now() < end) {
    const latest = latestNumber();
    if (latest === undefined) break;
    for (let pid = latest; pid > Math.max(1, latest - CHASE_NUMBERS); pid -= 1) {
      const one = stopped.has(pid) ? undefined : processAt(pid);
      const root = one && (families.rootOf(one) ?? stopped.get(one.parent)?.root);
      if (one === undefined || root === undefined) continue;
      if (!signalProcess(one, 'SIGSTOP')) continue;
      stopped.set(pid, { ...one, root });
      caught += 1;
    }
  }
  return caught;
}
