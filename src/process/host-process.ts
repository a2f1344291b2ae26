import type { ChildProcess } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { within } from '../waiting/within.js';
import type { ExitStatus } from './exit-status.js';
import { holdUntilRead } from './held-output.js';
import { ProcessGroup } from './process-group.js';
import { drainStderr, type StderrDrain } from './stderr-drain.js';
import type { StderrTail } from './stderr-tail.js';

const exitLimitMs = 1_000;

/** A host that runs, or ran. */
export interface HostProcess {
  readonly pid: number;
  /** The file that was started, as far as we could tell; else the name as configured. */
  readonly program: string;
  readonly stdin: Writable;
  /** Loses nothing, however late its first reader comes. */
  readonly stdout: Readable;
  readonly stderr: Pick<StderrTail, 'text' | 'bytes'>;
  /** Settles with the process, not with its pipes: a grandchild may hold those for ever. Never rejects. */
  readonly exited: Promise<ExitStatus>;
  exitStatus(): ExitStatus | undefined;
  /** On the clock of `performance.now()`. */
  readonly startedAt: number;
  /** SIGKILL to the whole group, at once, also after its leader has gone. */
  kill(): void;
  /** Ends everything that belongs to the host and lets go of it. Both fields are null if its end was not seen in time. */
  dispose(): Promise<ExitStatus>;
}

export interface StartedChild {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly program: string;
  readonly startedAt: number;
  readonly onStderrLine: ((line: string) => void) | undefined;
}

/** Must be made in the tick of the spawn: all listeners that must not come late are attached here. */
export class ChildHost implements HostProcess {
  readonly pid: number;
  readonly program: string;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: StderrTail;
  readonly exited: Promise<ExitStatus>;
  readonly startedAt: number;
  readonly #group: ProcessGroup;
  readonly #drain: StderrDrain;
  readonly #streams: readonly (Readable | Writable)[];
  #status: ExitStatus | undefined;
  #disposal: Promise<ExitStatus> | undefined;

  constructor(started: StartedChild) {
    this.pid = started.pid;
    this.program = started.program;
    this.stdin = started.stdin;
    this.stdout = started.stdout;
    this.startedAt = started.startedAt;
    this.#group = new ProcessGroup(started.pid);
    this.#streams = [started.stdin, started.stdout, started.stderr];
    holdUntilRead(started.stdout);
    this.#drain = drainStderr(started.stderr, started.onStderrLine);
    this.stderr = this.#drain.tail;
    this.exited = new Promise((resolve) => {
      started.child.once('exit', (code, signal) => {
        this.#status = { code, signal };
        this.#group.leaderHasExited();
        resolve(this.#status);
      });
    });
  }

  exitStatus(): ExitStatus | undefined {
    return this.#status;
  }

  kill(): void {
    this.#group.kill();
  }

  dispose(): Promise<ExitStatus> {
    this.#disposal ??= this.#dispose();
    return this.#disposal;
  }

  async #dispose(): Promise<ExitStatus> {
    this.#group.kill();
    const status = this.#status ?? (await within(this.exited, exitLimitMs, undefined));
    // Whoever a dying leader forked last.
    this.#group.kill();
    for (const stream of this.#streams) stream.destroy();
    this.#drain.end();
    return status ?? { code: null, signal: null };
  }
}
