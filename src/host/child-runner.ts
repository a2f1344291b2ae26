import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { encodeFrame, FrameDecoder } from '../protocol/frame.js';
import type { Leash } from './leash.js';
import { type MemoryWatch, residentBytes } from './memory-watch.js';
import {
  endedText,
  exitStatusText,
  notStartedText,
  outOfMemoryText,
  strangeRunnerText,
  unreadAnswersText,
} from './messages.js';
import type { Runner, RunnerEvents } from './runner.js';
import {
  fromRunner,
  MAX_RUNNER_FRAME_BYTES,
  parseDone,
  parseImage,
  type StartPayload,
  toRunner,
} from './runner-wire.js';
import type { Walls } from './walls.js';

const MIB = 2 ** 20;
const STDERR_CHARACTERS = 4096;
/** V8 heap of a cell without a limit of its own; the reference's cells end near this. */
const DEFAULT_HEAP_MIB = 1400;
/** Resident memory of a cell without a limit of its own. */
const DEFAULT_RESIDENT_BYTES = 8192 * MIB;
/** A runner without a cell, and what V8 needs beside the objects of a small heap. */
const BASE_RESIDENT_BYTES = 96 * MIB;
const LEAN_BYTES = 128 * MIB;
const UNREAD_BYTES = 256 * MIB;
/** V8 does not start below this. */
const LEAST_HEAP_MIB = 16;

export interface RunnerTools {
  readonly leash: Leash;
  readonly memory: MemoryWatch;
  readonly walls: Walls;
}

/** A runner in a process of its own: locked down, killed at will, with its memory watched. */
export class ChildRunner implements Runner {
  readonly #child: ChildProcess;
  readonly #tools: RunnerTools;
  readonly #heapBytes: number | undefined;
  readonly #decoder = new FrameDecoder(MAX_RUNNER_FRAME_BYTES);
  #events: RunnerEvents | undefined;
  #calls = 0;
  #stderr = '';
  #outOfMemory = false;
  readonly #held = new Set<string>();
  #paused = false;
  #ended = false;
  #settleBoot: () => void = () => {};
  #ready = false;
  /** Called once, when the process ends by itself or is ended. */
  onEnded: () => void = () => {};
  /** Resolves when the runner is up, or will never be. */
  readonly booted = new Promise<void>((resolve) => {
    this.#settleBoot = resolve;
  });

  constructor(tools: RunnerTools, heapBytes: number | undefined) {
    this.#tools = tools;
    this.#heapBytes = heapBytes;
    const heapMib = heapBytes === undefined ? DEFAULT_HEAP_MIB : Math.max(LEAST_HEAP_MIB, Math.ceil(heapBytes / MIB));
    const [program, ...args] = tools.walls.command(join(__dirname, 'runner.cjs'), heapMib);
    this.#child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'], env: tools.walls.environment(), cwd: '/' });
    if (this.#child.pid !== undefined) tools.leash.add(this.#child.pid);
    this.#listen();
  }

  get ready(): boolean {
    return this.#ready && !this.#ended;
  }

  /** Fit for another cell: alive, and not holding much memory of the last one. */
  get lean(): boolean {
    return this.ready && this.#child.pid !== undefined && residentBytes(this.#child.pid) <= LEAN_BYTES;
  }

  start(payload: StartPayload, events: RunnerEvents): void {
    this.#events = events;
    this.#calls = 0;
    this.#held.clear();
    this.#flow();
    if (this.#ended) {
      queueMicrotask(() => this.#lose(this.#reason()));
      return;
    }
    this.#send(toRunner.start, JSON.stringify(payload));
    const { pid } = this.#child;
    if (pid === undefined) return;
    const limitBytes = this.#heapBytes === undefined ? DEFAULT_RESIDENT_BYTES : this.#heapBytes + BASE_RESIDENT_BYTES;
    this.#tools.memory.add({
      pid,
      limitBytes,
      exceeded: () => {
        this.#outOfMemory = true;
        this.#giveUp(this.#reason());
      },
    });
  }

  answer(call: number, ok: boolean, text: string): void {
    this.#send(ok ? toRunner.result : toRunner.failure, `${call} ${text}`);
  }

  kill(): void {
    this.#events = undefined;
    this.#end();
  }

  /** What its cell has said has to be taken first. */
  hold(why: 'output' | 'notifications', held: boolean): void {
    if (held) this.#held.add(why);
    else this.#held.delete(why);
    this.#flow();
  }

  /** The client has to take what it was sent first. */
  pause(paused: boolean): void {
    this.#paused = paused;
    this.#flow();
  }

  #flow(): void {
    if (this.#held.size > 0 || this.#paused) this.#child.stdout?.pause();
    else this.#child.stdout?.resume();
  }

  #send(kind: number, payload: string): void {
    if (this.#ended) return;
    const body = Buffer.allocUnsafe(1 + Buffer.byteLength(payload));
    body[0] = kind;
    body.write(payload, 1);
    for (const part of encodeFrame(body, MAX_RUNNER_FRAME_BYTES)) this.#child.stdin?.write(part);
    // A cell that spins takes no answers; they must not fill the host's memory meanwhile.
    if ((this.#child.stdin?.writableLength ?? 0) > UNREAD_BYTES) this.#giveUp(unreadAnswersText(UNREAD_BYTES));
  }

  #listen(): void {
    const { stdin, stdout, stderr } = this.#child;
    stdin?.on('error', () => {}); // the exit tells why
    stdout?.on('error', () => {});
    stdout?.on('data', (chunk: Buffer) => {
      try {
        for (const body of this.#decoder.push(chunk)) this.#receive(body);
      } catch (error) {
        this.#giveUp(strangeRunnerText((error as Error).message));
      }
    });
    stderr?.on('error', () => {});
    stderr?.on('data', (chunk: Buffer) => {
      // V8 says it first and then prints pages of addresses.
      this.#stderr = (this.#stderr + chunk.toString()).slice(0, STDERR_CHARACTERS);
    });
    this.#child.on('error', (error) => this.#exited(notStartedText(error.message)));
    // `close`, not `exit`: what the cell wrote before it ended still counts.
    this.#child.on('close', (code, signal) => this.#exited(signal ?? exitStatusText(code)));
  }

  #exited(how: string): void {
    if (!this.#ready) this.#tools.walls.runnerFailed(how, this.#stderr);
    this.#giveUp(this.#reason(how));
  }

  #reason(how = 'gone'): string {
    if (this.#outOfMemory || /out of memory|allocation failed/i.test(this.#stderr)) {
      return outOfMemoryText(this.#heapBytes);
    }
    return endedText(how);
  }

  #giveUp(reason: string): void {
    this.#end();
    this.#lose(reason);
  }

  #lose(reason: string): void {
    const events = this.#events;
    this.#events = undefined;
    events?.lost(reason);
  }

  #end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.onEnded();
    const { pid } = this.#child;
    if (pid !== undefined) {
      this.#tools.memory.remove(pid);
      if (this.#child.exitCode === null && this.#child.signalCode === null) this.#child.kill('SIGKILL');
      this.#child.once('exit', () => this.#tools.leash.remove(pid));
    }
    this.#settleBoot();
  }

  #receive(body: Uint8Array): void {
    const kind = body[0];
    if (kind === fromRunner.ready) {
      this.#ready = true;
      this.#settleBoot();
      return;
    }
    const events = this.#events;
    if (events === undefined) return;
    const payload = Buffer.from(body.buffer, body.byteOffset + 1, body.byteLength - 1).toString();
    switch (kind) {
      case fromRunner.started:
        return events.started();
      case fromRunner.text:
        return events.text(payload);
      case fromRunner.image:
        return events.image(parseImage(payload));
      case fromRunner.audio:
        return events.audio(payload);
      case fromRunner.oversized:
        return events.oversized(Number(payload));
      case fromRunner.call: {
        const space = payload.indexOf(' ');
        return events.call(++this.#calls, Number(payload.slice(0, space)), payload.slice(space + 1));
      }
      case fromRunner.notify:
        return events.notify(payload);
      case fromRunner.yield:
        return events.yieldControl();
      case fromRunner.done: {
        const done = parseDone(payload);
        this.#events = undefined;
        if (this.#child.pid !== undefined) this.#tools.memory.remove(this.#child.pid);
        return events.done(done);
      }
    }
  }
}
