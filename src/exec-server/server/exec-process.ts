import { startTimer } from '../../waiting/timer.js';
import {
  base64Length,
  LateBase64,
  notifications,
  type OutputStream,
  type ReadResult,
  toBase64,
} from '../wire/index.js';
import type { Reserve } from './files.js';
import type { LaunchedProcess } from './launch.js';
import { OutputLog } from './output-log.js';
import type { Tree, TreeKeeper } from './tree-keeper.js';
import { WriteIds } from './write-ids.js';

/** Where it can not be known that a leader's output is out: how long its exit is held back for it. */
const EXIT_GRACE_MS = 200;
/** How long after the end of a terminated tree a stranger may go on holding our pipes. */
const CLOSE_GRACE_MS = 100;
/** What a chunk of a page has besides its bytes, more or less. */
const CHUNK_FRAME_BYTES = 48;
/** Above this nobody waits for a child to end by itself. */
const MAX_KILL_GRACE_MS = 600_000;

export interface ProcessEvents {
  send(method: string, params: unknown): void;
  /** There is no more to come; once. */
  closed(): void;
}

export interface ReadQuery {
  readonly afterSeq: number;
  readonly maxBytes: number | undefined;
  readonly waitMs: number;
}

/** A process from its start to its last byte. Its events are numbered, kept and sent in one order. */
export class ExecProcess {
  readonly id: string;
  readonly tree: Tree;
  readonly writeIds = new WriteIds();
  readonly #log = new OutputLog();
  readonly #launched: LaunchedProcess;
  readonly #keeper: TreeKeeper;
  readonly #events: ProcessEvents;
  readonly #watchers = new Set<() => void>();
  /** They stop a timer each. */
  readonly #timers = new Set<() => void>();
  /** When a child that was asked to end is killed; undefined when that is not to come. */
  #killAt: number | undefined;
  #stopKill: (() => void) | undefined;
  #announced = false;
  #paused = false;
  /** Of the leader, as soon as it was reaped; what others hear of it comes later. */
  #reaped: number | undefined;
  #exitCode: number | undefined;
  #terminated = false;
  #closed = false;

  constructor(id: string, launched: LaunchedProcess, tree: Tree, keeper: TreeKeeper, events: ProcessEvents) {
    this.id = id;
    this.tree = tree;
    this.#launched = launched;
    this.#keeper = keeper;
    this.#events = events;
    launched.exitCode.then(
      (code) => this.#leaderExited(code),
      () => this.#leaderExited(-1),
    );
  }

  get stdin(): LaunchedProcess['stdin'] {
    return this.#launched.stdin;
  }

  get resize(): LaunchedProcess['resize'] {
    return this.#launched.resize;
  }

  get running(): boolean {
    return this.#reaped === undefined;
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** What its output takes of our memory. */
  get heldBytes(): number {
    return this.#log.heldBytes;
  }

  /** From here on its events are sent. Until then nothing of its output is read, so nothing is lost. */
  announce(): void {
    if (this.#announced) return;
    this.#announced = true;
    for (const source of this.#launched.sources) {
      source.start({ chunk: (stream, bytes) => this.#output(stream, bytes), end: () => this.#closeIfDone() });
      if (this.#paused) source.pause();
    }
    if (this.#reaped !== undefined) this.#drainAndExit();
  }

  /** Holds the output back: the pipes fill, and the child waits. */
  setPaused(paused: boolean): void {
    if (this.#paused === paused) return;
    this.#paused = paused;
    if (!this.#announced) return;
    for (const source of this.#launched.sources) {
      if (paused) source.pause();
      else source.resume();
    }
  }

  /** Waits up to `waitMs` for something to tell, or until one of the signals fires; then for the room to tell it in. */
  async read(query: ReadQuery, signals: readonly AbortSignal[], reserve: Reserve): Promise<ReadResult> {
    const end = performance.now() + query.waitMs;
    while (!this.#hasNews(query)) {
      const left = end - performance.now();
      if (left <= 0 || signals.some((signal) => signal.aborted)) break;
      // Subscribes in the tick of the test: nothing can happen in between.
      await this.#change(left, signals);
    }
    await reserve(this.#pageBytes(query));
    return this.#page(query);
  }

  interrupt(): void {
    if (this.running) this.#keeper.interrupt(this.tree);
  }

  /** Ends everything below the process, also after its leader has gone; says whether that was still there. */
  terminate(graceMs: number | undefined): boolean {
    const { running } = this;
    if (this.#closed && !running) return false;
    if (running && graceMs !== undefined && graceMs > 0) {
      this.#keeper.askToEnd(this.tree);
      this.#killIn(Math.min(graceMs, MAX_KILL_GRACE_MS));
    } else this.#kill();
    return running;
  }

  /** Everything at once; nothing more is sent. */
  end(): void {
    for (const stop of [...this.#timers]) stop();
    this.#stopSources();
    this.stdin?.destroy();
    this.#wake();
  }

  /** In how many ms something is to be killed, which is from now on for others to do; undefined where nothing is. */
  releaseKill(): number | undefined {
    const at = this.#killAt;
    this.#forgetKill();
    return at === undefined ? undefined : Math.max(0, at - performance.now());
  }

  /** Of several times given the soonest counts. */
  #killIn(ms: number): void {
    const at = performance.now() + ms;
    if (this.#killAt !== undefined && this.#killAt <= at) return;
    this.#stopKill?.();
    this.#killAt = at;
    this.#stopKill = this.#later(ms, () => this.#kill());
  }

  #forgetKill(): void {
    this.#stopKill?.();
    this.#stopKill = undefined;
    this.#killAt = undefined;
  }

  #kill(): void {
    this.#forgetKill();
    this.#terminated = true;
    this.#keeper.kill([this.tree]);
    if (this.#exitCode !== undefined) this.#later(CLOSE_GRACE_MS, () => this.#stopSources());
  }

  #output(stream: OutputStream, bytes: Buffer): void {
    const { seq } = this.#log.append(stream, bytes);
    this.#wake();
    this.#events.send(notifications.output, { processId: this.id, seq, stream, chunk: new LateBase64(bytes) });
  }

  #leaderExited(code: number): void {
    this.#reaped = code;
    this.#keeper.leaderHasExited(this.tree);
    if (this.#announced) this.#drainAndExit();
  }

  #drainAndExit(): void {
    const drained = this.#launched.sources.map((source) => source.drain()).every((done) => done);
    if (drained) this.#exit();
    else this.#later(EXIT_GRACE_MS, () => this.#exit());
  }

  #exit(): void {
    if (this.#exitCode !== undefined) return;
    this.#exitCode = this.#reaped ?? -1;
    const seq = this.#log.takeNumber();
    const params = { processId: this.id, seq, exitCode: this.#exitCode, sandboxDenied: false };
    this.stdin?.destroy();
    this.#wake();
    this.#events.send(notifications.exited, params);
    // A stranger that has left the tree and holds our pipes does not hold up the end of what was terminated.
    if (this.#terminated) this.#stopSources();
    this.#closeIfDone();
  }

  #closeIfDone(): void {
    const ended = this.#launched.sources.every((source) => source.ended);
    if (this.#closed || !ended || this.#reaped === undefined) return;
    this.#exit();
    if (this.#closed) return;
    this.#closed = true;
    const seq = this.#log.takeNumber();
    this.#wake();
    this.#events.send(notifications.closed, { processId: this.id, seq });
    // What it has left behind without anything of ours still has its time.
    if (this.#killAt !== undefined && this.#keeper.isGone(this.tree)) this.#forgetKill();
    this.#events.closed();
  }

  #stopSources(): void {
    for (const source of this.#launched.sources) source.stop();
  }

  #hasNews({ afterSeq, maxBytes }: ReadQuery): boolean {
    if (this.#closed || this.#log.read(afterSeq, maxBytes ?? 0).chunks.length > 0) return true;
    return this.#exitCode !== undefined && afterSeq < this.#log.nextSeq - 1;
  }

  #pageBytes({ afterSeq, maxBytes }: ReadQuery): number {
    const { chunks } = this.#log.read(afterSeq, maxBytes);
    return chunks.reduce((total, { bytes }) => total + base64Length(bytes.length) + CHUNK_FRAME_BYTES, 0);
  }

  #page({ afterSeq, maxBytes }: ReadQuery): ReadResult {
    const { chunks, nextSeq } = this.#log.read(afterSeq, maxBytes);
    const { droppedBytes, firstSeq } = this.#log;
    return {
      chunks: chunks.map(({ seq, stream, bytes }) => ({ seq, stream, chunk: toBase64(bytes) })),
      nextSeq,
      exited: this.#exitCode !== undefined,
      exitCode: this.#exitCode ?? null,
      closed: this.#closed,
      failure: null,
      sandboxDenied: false,
      ...(droppedBytes > 0 ? { firstSeq, droppedBytes } : {}),
      ...(this.#log.hasLostAfter(afterSeq) ? { truncated: true } : {}),
    };
  }

  #change(limitMs: number, signals: readonly AbortSignal[]): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        stop();
        this.#watchers.delete(done);
        for (const signal of signals) signal.removeEventListener('abort', done);
        resolve();
      };
      const stop = startTimer(limitMs, done);
      this.#watchers.add(done);
      for (const signal of signals) signal.addEventListener('abort', done);
    });
  }

  #wake(): void {
    for (const watcher of [...this.#watchers]) watcher();
  }

  #later(ms: number, then: () => void): () => void {
    const stopTimer = startTimer(ms, () => {
      this.#timers.delete(stop);
      then();
    });
    const stop = (): void => {
      stopTimer();
      this.#timers.delete(stop);
    };
    this.#timers.add(stop);
    return stop;
  }
}
