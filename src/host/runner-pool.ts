import { ChildRunner, type RunnerTools } from './child-runner.js';
import { Leash } from './leash.js';
import { MemoryWatch } from './memory-watch.js';
import { Walls } from './walls.js';

/** Runners kept ready for a cell whose session has none at hand. */
const WARM = 2;
/** A boot takes a core for some 30 ms; more of them at once only make each one late. */
const BOOTING = 4;
/** Runners that wait for the next cell of their session. */
const RESTING = 8;
/** After so many boots in a row that failed, a cell is told instead of left waiting. */
const FAILED_BOOTS = 3;

/** The heap limit in bytes is a flag of the runner's process; undefined stands for the default. */
type Heap = number | undefined;

interface Wish {
  readonly heap: Heap;
  readonly take: (runner: ChildRunner) => void;
}

/** Hands out a runner for each cell, and keeps some booted ahead. */
export class RunnerPool {
  readonly #tools: RunnerTools = { leash: new Leash(), memory: new MemoryWatch(), walls: new Walls() };
  readonly #all = new Set<ChildRunner>();
  #warm: { readonly heap: Heap; readonly runner: ChildRunner }[] = [];
  readonly #booting: Heap[] = [];
  readonly #resting = new Map<ChildRunner, () => void>();
  #wishes: Wish[] = [];
  #failedBoots = 0;
  #used = false;
  #paused = false;
  #closed = false;

  constructor() {
    this.prepare(undefined);
  }

  /** Boots a runner ahead, unless one with this limit is ready or on its way. */
  prepare(heap: Heap): void {
    if (this.#booting.includes(heap) || this.#warm.some((warm) => warm.heap === heap)) return;
    this.#boot(heap);
  }

  /** Calls `take` with a runner, at once when one is warm. The result takes the wish back. */
  request(heap: Heap, take: Wish['take']): () => void {
    const wish = { heap, take };
    this.#used = true;
    const at = this.#warm.findIndex((warm) => warm.heap === heap && warm.runner.ready);
    if (at >= 0) {
      const [warm] = this.#warm.splice(at, 1);
      if (warm !== undefined) take(warm.runner);
      // Not now: a boot on this core would delay the very answer that is being worked on.
      setTimeout(() => this.#fill(), 1);
    } else {
      this.#wishes.push(wish);
      this.#fill();
    }
    return () => {
      this.#wishes = this.#wishes.filter((other) => other !== wish);
    };
  }

  /** Keeps a runner for the next cell of its session; `evicted` is called when it has to go after all. */
  rest(runner: ChildRunner, evicted: () => void): void {
    this.#resting.set(runner, evicted);
    if (this.#resting.size <= RESTING) return;
    for (const oldest of this.#resting.keys()) {
      this.discard(oldest);
      return;
    }
  }

  wake(runner: ChildRunner): void {
    this.#resting.delete(runner);
  }

  /** The runner reports its end, now or before, to `#gone`. */
  discard(runner: ChildRunner): void {
    runner.kill();
  }

  /** While the client does not take what it is sent, cells that go on writing wait. */
  pause(paused: boolean): void {
    if (this.#paused === paused) return;
    this.#paused = paused;
    for (const runner of this.#all) runner.pause(paused);
  }

  close(): void {
    this.#closed = true;
    this.#wishes = [];
    for (const runner of [...this.#all]) runner.kill();
  }

  #boot(heap: Heap): void {
    if (this.#closed || this.#booting.length >= BOOTING) return;
    this.#booting.push(heap);
    const runner = new ChildRunner(this.#tools, heap);
    this.#all.add(runner);
    runner.onEnded = () => this.#gone(runner);
    if (this.#paused) runner.pause(true);
    void runner.booted.then(() => {
      this.#booting.splice(this.#booting.indexOf(heap), 1);
      if (runner.ready) this.#offer(heap, runner);
      else this.#bootFailed(heap, runner);
      this.#fill();
    });
  }

  #offer(heap: Heap, runner: ChildRunner): void {
    this.#failedBoots = 0;
    const wish = this.#takeWish(heap);
    if (wish !== undefined) wish.take(runner);
    else {
      this.#warm.push({ heap, runner });
      const limited = this.#warm.filter((warm) => warm.heap !== undefined);
      const [oldest] = limited;
      if (limited.length > WARM && oldest !== undefined) this.discard(oldest.runner);
    }
  }

  /** It may have been waiting for a cell: nobody must be given a runner that is gone. */
  #gone(runner: ChildRunner): void {
    this.#all.delete(runner);
    const evicted = this.#resting.get(runner);
    this.#resting.delete(runner);
    evicted?.();
    const warm = this.#warm.length;
    this.#warm = this.#warm.filter((other) => other.runner !== runner);
    if (this.#warm.length < warm && !this.#closed) setImmediate(() => this.#fill());
  }

  #bootFailed(heap: Heap, runner: ChildRunner): void {
    // A runner that is gone says so when it is asked to start, and why.
    if (++this.#failedBoots >= FAILED_BOOTS) this.#takeWish(heap)?.take(runner);
  }

  #takeWish(heap: Heap): Wish | undefined {
    const at = this.#wishes.findIndex((wish) => wish.heap === heap);
    return at < 0 ? undefined : this.#wishes.splice(at, 1)[0];
  }

  #fill(): void {
    if (this.#booting.length >= BOOTING) return;
    for (const { heap } of this.#wishes) if (this.#count(this.#booting, heap) < this.#wanted(heap)) this.#boot(heap);
    if (!this.#used || this.#failedBoots >= FAILED_BOOTS) return;
    const ready = this.#warm.filter((warm) => warm.heap === undefined).length;
    if (this.#wishes.length === 0 && ready + this.#count(this.#booting, undefined) < WARM) this.#boot(undefined);
  }

  #wanted(heap: Heap): number {
    return this.#wishes.filter((wish) => wish.heap === heap).length;
  }

  #count(heaps: readonly Heap[], heap: Heap): number {
    return heaps.filter((other) => other === heap).length;
  }
}
