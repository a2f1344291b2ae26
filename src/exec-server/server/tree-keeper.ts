import { ProcessGroup } from '../../process/process-group.js';
import type { LaunchedProcess } from './launch.js';
import { Leash } from './leash.js';
import { allProcesses, canListProcesses } from './process-list.js';
import { killTrees, type TreeRoot } from './process-tree.js';
import { signalGroup, signalUnreapedGroup } from './signals.js';

/** One process of ours with everything below it. */
export interface Tree extends TreeRoot {
  readonly group: ProcessGroup | undefined;
}

/** The trees of a server. None outlives it: not when it closes, not when it exits, and not when it is killed. */
export class TreeKeeper {
  readonly #trees = new Set<Tree>();
  readonly #mark: string;
  readonly #scratch: string | undefined;
  #leash: Leash | undefined;

  /** `mark` begins the entries that are in the environments of what we start; `scratch` goes when we are gone. */
  constructor(mark: string, scratch: string | undefined) {
    this.#mark = mark;
    this.#scratch = scratch;
  }

  add(launched: LaunchedProcess, mark: string | undefined): Tree {
    const { pid: leader, start } = launched;
    // Where processes can be listed each one is looked at before it is signalled, which a group can not be.
    const tree: Tree = { leader, start, mark, group: canListProcesses ? undefined : new ProcessGroup(leader) };
    if (this.#trees.size === 0) process.on('exit', this.#killAll);
    this.#trees.add(tree);
    this.#leash ??= new Leash(this.#mark, this.#scratch);
    this.#leash.add(leader, start);
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

  kill(trees: readonly Tree[]): void {
    if (canListProcesses) killTrees(trees);
    for (const { group } of trees) group?.kill();
  }

  /** False while something of a tree whose leader is gone lives on: then it must be kept. */
  forgetIfGone(tree: Tree): boolean {
    const { leader, group } = tree;
    group?.kill();
    if (canListProcesses && allProcesses().some((one) => one.group === leader || one.session === leader)) return false;
    this.#drop(tree);
    return true;
  }

  /** Kills the trees, and forgets them. */
  end(trees: readonly Tree[]): void {
    this.kill(trees);
    for (const tree of trees) this.#drop(tree);
  }

  close(): void {
    this.#killAll();
    for (const tree of [...this.#trees]) this.#drop(tree);
    this.#leash?.release();
    this.#leash = undefined;
  }

  #drop(tree: Tree): void {
    if (!this.#trees.delete(tree)) return;
    this.#leash?.drop(tree.leader);
    if (this.#trees.size === 0) process.removeListener('exit', this.#killAll);
  }

  readonly #killAll = (): void => this.kill([...this.#trees]);
}
