import { type Mark, marksOn } from './mark.js';
import { allProcesses, type ListedProcess } from './process-list.js';

/** What is known of a process that we started, and by which its descendants are recognised. */
export interface TreeRoot {
  readonly leader: number;
  /** When the leader started; undefined where the system does not tell. */
  readonly start: string | undefined;
  /** What everything below it carries. */
  readonly mark: Mark | undefined;
}

export interface Member extends ListedProcess {
  readonly root: TreeRoot;
}

/**
 * Who descends from which root: members of its group and its session, the children of those, and whoever carries its
 * mark, which a child that called `setsid` and lost its parents still does. Linux only.
 */
export class Families {
  readonly #roots: readonly TreeRoot[];
  readonly #marks: ReadonlyMap<string, TreeRoot>;
  /** Only what one of them has is looked for. */
  readonly #kinds: ReadonlySet<Mark['kind']>;
  readonly #earliest: number;
  #leaders: ReadonlyMap<number, TreeRoot> = new Map();
  /** Processes without a mark, by number: what the rest of the machine does is read once. */
  readonly #unmarked = new Map<number, string>();

  constructor(roots: readonly TreeRoot[]) {
    this.#roots = roots;
    this.#marks = new Map(roots.flatMap((root) => (root.mark === undefined ? [] : [[root.mark.value, root] as const])));
    this.#kinds = new Set(roots.flatMap(({ mark }) => (mark === undefined ? [] : [mark.kind])));
    this.#earliest = roots.reduce((least, { start }) => Math.min(least, Number(start ?? 0)), Number.POSITIVE_INFINITY);
  }

  get marked(): boolean {
    return this.#marks.size > 0;
  }

  /** Everybody who is there now, the latest first. The children of `known` belong to them too. */
  members(known: ReadonlyMap<number, Member> = new Map()): Member[] {
    const all = allProcesses();
    const at = new Map(all.map((one) => [one.pid, one]));
    this.#leaders = new Map(this.#roots.filter((root) => owns(root, at)).map((root) => [root.leader, root]));
    const candidates = all.filter(({ pid, start }) => pid !== process.pid && Number(start) >= this.#earliest);
    const children = new Map<number, ListedProcess[]>();
    for (const one of candidates) {
      const siblings = children.get(one.parent);
      if (siblings === undefined) children.set(one.parent, [one]);
      else siblings.push(one);
    }
    const found = new Map<number, Member>();
    for (const one of candidates) {
      const before = known.get(one.pid);
      const root = before?.start === one.start ? before.root : this.rootOf(one);
      if (root !== undefined) found.set(one.pid, { ...one, root });
    }
    // Grows while it is walked.
    for (const { pid, root } of found.values()) {
      for (const child of children.get(pid) ?? []) if (!found.has(child.pid)) found.set(child.pid, { ...child, root });
    }
    return [...found.values()];
  }

  /** By its group, its session or its mark; whose child it is is for others to know. */
  rootOf(one: ListedProcess): TreeRoot | undefined {
    for (const id of [one.pid, one.group, one.session]) {
      const root = this.#leaders.get(id);
      if (root !== undefined && Number(one.start) >= Number(root.start ?? 0)) return root;
    }
    if (this.#marks.size === 0 || this.#unmarked.get(one.pid) === one.start) return undefined;
    let seen = true;
    for (const kind of this.#kinds) {
      const values = marksOn(one.pid, kind);
      if (values === undefined) seen = false;
      for (const value of values ?? []) {
        const root = this.#marks.get(value);
        if (root !== undefined) return root;
      }
    }
    if (seen) this.#unmarked.set(one.pid, one.start);
    return undefined;
  }
}

/** The number of a leader that is gone stays reserved while its group or session has members; after that a stranger may get it. */
function owns({ leader, start }: TreeRoot, at: ReadonlyMap<number, ListedProcess>): boolean {
  if (leader <= 1 || leader === process.pid) return false;
  const now = at.get(leader);
  return now === undefined || now.start === start;
}
