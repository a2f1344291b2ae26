import { startTimer } from '../../waiting/timer.js';
import type { Tree, TreeKeeper } from './tree-keeper.js';

/** Between two looks at what is left. */
const FIRST_SWEEP_MS = 100;
const SWEEP_MS = 10_000;

/**
 * What processes have left running that are forgotten. Nobody can name it any more: it is kept as long as it runs, killed
 * when that was to come, and ended with its session.
 */
export class Leftovers {
  readonly #keeper: TreeKeeper;
  /** Each with what calls off its kill. */
  readonly #trees = new Map<Tree, () => void>();
  #sweep: NodeJS.Timeout | undefined;

  constructor(keeper: TreeKeeper) {
    this.#keeper = keeper;
  }

  /** `killInMs`: the rest of the time that it was given to end by itself. */
  add(tree: Tree, killInMs: number | undefined): void {
    const kill = (): void => this.#keeper.kill([tree]);
    this.#trees.set(tree, killInMs === undefined ? nothing : startTimer(killInMs, kill));
    // Many may come at once: one look is enough for them.
    this.#sweepIn(FIRST_SWEEP_MS);
  }

  /** Hands over what is to be ended, and forgets it. */
  release(): readonly Tree[] {
    clearTimeout(this.#sweep);
    const trees = [...this.#trees.keys()];
    for (const tree of trees) this.#drop(tree);
    return trees;
  }

  #drop(tree: Tree): void {
    this.#trees.get(tree)?.();
    this.#trees.delete(tree);
  }

  #sweepIn(ms: number): void {
    clearTimeout(this.#sweep);
    this.#sweep = setTimeout(() => {
      const trees = [...this.#trees.keys()];
      const living = new Set(this.#keeper.forgetGone(trees));
      for (const tree of trees) if (!living.has(tree)) this.#drop(tree);
      if (living.size > 0) this.#sweepIn(SWEEP_MS);
    }, ms).unref();
  }
}

const nothing = (): void => undefined;
