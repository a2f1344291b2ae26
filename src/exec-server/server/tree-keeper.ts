import { ProcessGroup } from '../../process/process-group.js';
import { startTimer } from '../../waiting/timer.js';
import type { TreeRoot } from './families.js';
import type { StartedProcess } from './launch.js';
import { Leash } from './leash.js';
import type { Mark, MarkTraces } from './mark.js';
import { canListProcesses, startNow } from './process-list.js';
import { killTrees, livingRoots } from './process-tree.js';
import { signalGroup, signalUnreapedGroup } from './signals.js';

/** One process of ours with everything below it. */
export interface Tree extends TreeRoot {
  readonly group: ProcessGroup | undefined;
}

/** What may have been between two processes when it was to be killed is looked for again, some times. */
const LOOKS = 6;
const LOOK_PAUSE_MS = 150;
/** As long as something is found the looks do not count, up to here. */
const MAX_FINDS = 100;

/** The trees of a server. None outlives it: not when it closes, not when it exits, and not when it is killed. */
export class TreeKeeper {
  readonly #trees = new Set<Tree>();
  /** Killed, with a mark by which something of them might still be found: how often that is still looked for. */
  readonly #hunted = new Map<Tree, number>();
  readonly #folders: string[] = [];
  readonly #traces: MarkTraces;
  #finds = 0;
  #closed = false;
  #stopHunt: (() => void) | undefined;
  #leash: Leash | undefined;

  /** `traces` of everything that we start with a mark. */
  constructor(traces: MarkTraces) {
    this.#traces = traces;
  }

  /** Kept: it may have something left that runs. */
  get size(): number {
    return this.#trees.size;
  }

  /** Before the first child: it may be the one that kills us. */
  prepare(): void {
    if (this.#leash?.holds === true) return;
    this.#leash = new Leash(this.#traces);
    for (const folder of this.#folders) this.#leash.clear(folder);
    for (const { leader, start } of this.#trees) this.#leash.add(leader, start);
  }

  /** A folder that goes when we are gone. */
  clearAfterwards(folder: string): void {
    this.#folders.push(folder);
    this.#leash?.clear(folder);
  }

  /** In front of the start of a process on a terminal, and without one when it has failed. */
  expect(terminal: string | undefined): void {
    this.#leash?.expect(terminal, startNow());
  }

  /** As soon as it is there, before anything else is done about it. */
  add({ pid: leader, start }: StartedProcess, mark: Mark | undefined): Tree {
    this.#leash?.add(leader, start);
    // Where processes can be listed each one is looked at before it is signalled, which a group can not be.
    const tree: Tree = { leader, start, mark, group: canListProcesses ? undefined : new ProcessGroup(leader) };
    if (this.#trees.size === 0) process.on('exit', this.#killAll);
    this.#trees.add(tree);
    return tree;
  }

  interrupt({ leader, start, group }: Tree): void {
    if (start !== undefined) signalGroup({ pid: leader, start }, 'SIGINT');
    else if (group !== undefined) signalUnreapedGroup(leader, 'SIGINT');
  }

  askToEnd({ leader, start, group }: Tree): void {
    if (start !== undefined) signalGroup({ pid: leader, start }, 'SIGTERM');
    else if (group !== undefined) signalUnreapedGroup(leader, 'SIGTERM');
  }

  leaderHasExited(tree: Tree): void {
    tree.group?.leaderHasExited();
  }

  /** Nothing after `close`, which has done it. */
  kill(trees: readonly Tree[]): void {
    if (this.#closed) return;
    this.#killNow(trees);
    for (const tree of trees) if (tree.mark !== undefined && canListProcesses) this.#hunted.set(tree, LOOKS);
    this.#hunt();
  }

  /** Whether nothing of the tree runs any more, as far as the system tells. */
  isGone(tree: Tree): boolean {
    return canListProcesses && livingRoots([tree]).size === 0;
  }

  /** Those of which something lives on, although their leaders are gone: they must be kept. */
  forgetGone(trees: readonly Tree[]): readonly Tree[] {
    for (const { group } of trees) group?.kill();
    const living: ReadonlySet<TreeRoot> = canListProcesses ? livingRoots(trees) : new Set();
    for (const tree of trees) if (!living.has(tree)) this.#drop(tree);
    return trees.filter((tree) => living.has(tree));
  }

  /** Kills the trees, and forgets them. */
  end(trees: readonly Tree[]): void {
    this.kill(trees);
    for (const tree of trees) this.#drop(tree);
  }

  close(): void {
    this.#closed = true;
    this.#killAll();
    this.#stopHunt?.();
    this.#stopHunt = undefined;
    this.#hunted.clear();
    for (const tree of [...this.#trees]) this.#drop(tree);
    this.#leash?.release();
    this.#leash = undefined;
  }

  #killNow(trees: readonly Tree[]): number {
    const found = canListProcesses ? killTrees(trees) : 0;
    for (const { group } of trees) group?.kill();
    return found;
  }

  /** One look for all of them. */
  #hunt(): void {
    if (this.#hunted.size === 0 || this.#stopHunt !== undefined) return;
    this.#stopHunt = startTimer(LOOK_PAUSE_MS, () => {
      this.#stopHunt = undefined;
      const found = this.#killNow([...this.#hunted.keys()]) > 0;
      this.#finds = found ? this.#finds + 1 : 0;
      if (found && this.#finds < MAX_FINDS) return this.#hunt();
      for (const [tree, left] of this.#hunted) {
        if (left > 1) this.#hunted.set(tree, left - 1);
        else this.#hunted.delete(tree);
      }
      this.#hunt();
    });
  }

  #drop(tree: Tree): void {
    if (!this.#trees.delete(tree)) return;
    this.#leash?.drop(tree.leader);
    if (this.#trees.size === 0) process.removeListener('exit', this.#killAll);
  }

  readonly #killAll = (): void => {
    this.#killNow([...new Set([...this.#trees, ...this.#hunted.keys()])]);
  };
}
