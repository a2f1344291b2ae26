import { allProcesses, environmentHas, type ListedProcess, processAt } from './process-list.js';
import { signalProcess } from './signals.js';

/** What is known of a process that we started, and by which its descendants are recognised. */
export interface TreeRoot {
  readonly leader: number;
  /** When the leader started; undefined where the system does not tell. */
  readonly start: string | undefined;
  /** Beginning of an entry in the environment of everything below it. */
  readonly mark: string | undefined;
}

const MAX_ROUNDS = 20;

/**
 * SIGKILL to everything that descends from the roots: their groups and sessions, the children of those, and whoever
 * carries a mark, which a child that called `setsid` and lost its parents still does. All are stopped first, so that
 * none can fork while we count. Linux only.
 */
export function killTrees(roots: readonly TreeRoot[]): number {
  if (roots.length === 0) return 0;
  const stopped = new Map<number, ListedProcess>();
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const fresh = descendants(roots, stopped).filter(({ pid, start }) => stopped.get(pid)?.start !== start);
    if (fresh.length === 0) break;
    for (const one of fresh) {
      stopped.set(one.pid, one);
      signalProcess(one, 'SIGSTOP');
    }
  }
  for (const one of stopped.values()) signalProcess(one, 'SIGKILL');
  return stopped.size;
}

function descendants(roots: readonly TreeRoot[], known: ReadonlyMap<number, ListedProcess>): ListedProcess[] {
  const earliest = roots.map(({ start }) => Number(start ?? 0)).reduce((a, b) => Math.min(a, b));
  const candidates = allProcesses().filter(({ pid, start }) => pid !== process.pid && Number(start) >= earliest);
  const leaders = new Map(roots.filter(stillOwnsNumber).map((root) => [root.leader, Number(root.start ?? 0)]));
  const marks = roots.map(({ mark }) => mark).filter((mark): mark is string => mark !== undefined);
  const found = new Map<number, ListedProcess>();
  const belongs = (one: ListedProcess): boolean =>
    known.get(one.pid)?.start === one.start ||
    [one.pid, one.group, one.session].some(
      (id) => Number(one.start) >= (leaders.get(id) ?? Number.POSITIVE_INFINITY),
    ) ||
    marks.some((mark) => environmentHas(one.pid, mark));
  for (const one of candidates) if (belongs(one)) found.set(one.pid, one);
  // Children may be listed before their parents: until nothing is added.
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const one of candidates) if (found.has(one.parent)) found.set(one.pid, one);
  }
  return [...found.values()];
}

/** The number of a leader that is gone stays reserved while its group or session has members; after that a stranger may get it. */
function stillOwnsNumber({ leader, start }: TreeRoot): boolean {
  if (leader <= 1 || leader === process.pid) return false;
  const now = processAt(leader);
  return now === undefined || now.start === start;
}
