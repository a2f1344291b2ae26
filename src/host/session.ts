import type { CellExecutionLimits, ExecuteRequest, OutputTruncation } from '../protocol/message.js';
import { BoundedOutput } from './bounded-output.js';
import { Catalog } from './catalog.js';
import { Cell, type CellOwner, missing } from './cell.js';
import { CellRun, type RunPort } from './cell-run.js';
import type { ChildRunner } from './child-runner.js';
import { tokensBelowZeroText } from './messages.js';
import { effectiveYieldMs, type Observer } from './observer.js';
import { type Output, type OutputTotal, WholeOutput } from './output.js';
import type { RunnerPool } from './runner-pool.js';
import type { DonePayload } from './runner-wire.js';

interface Wish {
  /** Takes it back from the pool. */
  readonly forget: () => void;
  readonly use: (runner: ChildRunner) => void;
}

const MIB = 2 ** 20;

/** The time of a first observation counts from when the code starts, unless it has not started by then. */
const BOOT_GRACE_MS = 250;
/** The news that the code has started took a moment; a timer of the same length in the cell must not win by it. */
const NEWS_MS = 3;

export interface SessionPort extends RunPort {
  readonly outputTotal: OutputTotal;
  cellClosed(sessionId: string, cellId: string): void;
}

/** A client's namespace: stored values, a tool catalogue, limits, and cells. */
export class Session implements CellOwner {
  readonly id: string;
  readonly #heap: number | undefined;
  readonly #limits: CellExecutionLimits;
  readonly #truncation: OutputTruncation;
  readonly #port: SessionPort;
  readonly #pool: RunnerPool;
  readonly #catalog = new Catalog();
  readonly #cells = new Map<string, Cell>();
  readonly #runs = new Map<Cell, CellRun>();
  /** Cells that wait for a runner, in order. */
  readonly #wishes = new Map<Cell, Wish>();
  /** Key → JSON text, as the cells wrote it. */
  readonly #stored = new Map<string, string>();
  #lastCell = 0;
  /** The runner of a cell that ended cleanly: the next cell finds it warm. Never handed to another session. */
  #resting: ChildRunner | undefined;

  constructor(
    id: string,
    limits: CellExecutionLimits,
    truncation: OutputTruncation,
    port: SessionPort,
    pool: RunnerPool,
  ) {
    this.id = id;
    this.#limits = limits;
    // Runners differ by whole MiB, so that sessions with about the same limit can share those that are warm.
    this.#heap = limits.maxHeapSizeBytes == null ? undefined : Math.ceil(limits.maxHeapSizeBytes / MIB) * MIB;
    this.#truncation = truncation;
    this.#port = port;
    this.#pool = pool;
    if (this.#heap !== undefined) pool.prepare(this.#heap);
  }

  /** Starts a cell, or says why not. `started` is called before the observer can get an answer. */
  execute(request: ExecuteRequest, observer: Observer, started: (cell: Cell) => void): string | undefined {
    if ((request.max_output_tokens ?? 0) < 0) {
      return tokensBelowZeroText;
    }
    const tools = this.#catalog.resolve(request);
    if (typeof tools === 'string') return tools;
    const cell = new Cell(String(++this.#lastCell), this.#newOutput(), this);
    const yieldMs = effectiveYieldMs(request.yield_time_ms, this.#limits.maxYieldTimeMs);
    const run = new CellRun(
      cell,
      this.#port,
      request,
      tools,
      {
        started: () => cell.restartYieldTimer(observer, Math.max(1, yieldMs - Math.min(NEWS_MS, yieldMs / 10))),
        retry: () => start(),
      },
      (runner, done) => this.#release(runner, done),
    );
    const start = () => this.#withRunner(cell, (runner) => run.start(runner, [...this.#stored]));
    this.#cells.set(cell.id, cell);
    this.#runs.set(cell, run);
    started(cell);
    cell.observe(observer, yieldMs > 0 ? yieldMs + BOOT_GRACE_MS : 0);
    start();
    return undefined;
  }

  wait(cellId: string, yieldTimeMs: number, observer: Observer): Cell | undefined {
    const cell = this.#cells.get(cellId);
    if (cell === undefined) observer.answer(missing(cellId, observer, this.#newOutput()));
    else cell.observe(observer, effectiveYieldMs(yieldTimeMs, this.#limits.maxYieldTimeMs));
    return cell;
  }

  terminate(cellId: string, observer: Observer): void {
    const cell = this.#cells.get(cellId);
    if (cell === undefined) observer.answer(missing(cellId, observer, this.#newOutput()));
    else cell.terminate(observer);
  }

  /** Ends every cell, and tells those who wait for one. */
  shutdown(): void {
    for (const cell of [...this.#cells.values()]) cell.terminate();
    if (this.#resting !== undefined) this.#pool.discard(this.#resting);
    this.#resting = undefined;
  }

  ended(cell: Cell, terminated: boolean): void {
    this.#wishes.get(cell)?.forget();
    this.#wishes.delete(cell);
    this.#runs.get(cell)?.stop(terminated);
  }

  held(cell: Cell, held: boolean): void {
    this.#runs.get(cell)?.hold(held);
  }

  closed(cell: Cell): void {
    this.#cells.delete(cell.id);
    this.#runs.delete(cell);
    this.#port.cellClosed(this.id, cell.id);
  }

  #newOutput(): Output {
    return this.#truncation === 'server' ? new BoundedOutput() : new WholeOutput(this.#port.outputTotal);
  }

  #withRunner(cell: Cell, use: (runner: ChildRunner) => void): void {
    const resting = this.#resting;
    this.#resting = undefined;
    if (resting?.ready) {
      this.#pool.wake(resting);
      use(resting);
      return;
    }
    let taken = false;
    const forget = this.#pool.request(this.#heap, (runner) => {
      taken = true;
      this.#wishes.delete(cell);
      use(runner);
    });
    if (!taken) this.#wishes.set(cell, { forget, use });
  }

  #release(runner: ChildRunner, done: DonePayload | undefined): void {
    for (const [key, json] of done?.stored ?? []) {
      this.#stored.delete(key);
      this.#stored.set(key, json);
    }
    if (!done?.reusable || !runner.lean) {
      this.#pool.discard(runner);
      return;
    }
    const [waiting] = this.#wishes;
    if (waiting !== undefined) {
      // Sooner than a new runner could be up.
      const [cell, { forget, use }] = waiting;
      forget();
      this.#wishes.delete(cell);
      use(runner);
    } else if (this.#resting === undefined) {
      this.#resting = runner;
      this.#pool.rest(runner, () => {
        this.#resting = undefined;
      });
    } else this.#pool.discard(runner);
  }
}
