import assert from 'node:assert/strict';
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { killMarked, MARK, markedProcesses } from './marked-processes.js';
import { eventually, processesInGroup } from './processes.js';

export const root = fileURLToPath(new URL('../../..', import.meta.url));
export const cliFile = join(root, 'bin/codemode-run.js');
export const fixture = (name: string): string => join(root, 'host-fixtures', `${name}.mjs`);

/** With another host: below the watchdog of the fixtures, so that a run which only ends because of that is seen to hang. */
const GUARD_MS = 15_000;
const OWN_HOST_GUARD_MS = 60_000;

export interface CliOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly stdin?: string | Uint8Array;
  /** Leaves stdin open, as a terminal does. */
  readonly openStdin?: boolean;
  /** A shell command in which `"$@"` is the command line to run. */
  readonly shell?: string;
  /** Leaves stdout unread until `readStdout` is called. */
  readonly holdStdout?: boolean;
}

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** The built command line, running. When the test ends, nothing of it is left. */
export class CliRun {
  readonly mark = randomUUID();
  readonly pid: number;
  readonly ended: Promise<Ended>;
  readonly child: ChildProcessByStdio<Writable, Readable, Readable>;
  #stdout = '';
  #stderr = '';
  #closed = false;
  readonly #watchers = new Set<() => void>();

  constructor(test: TestContext, args: readonly string[], options: CliOptions = {}) {
    const command = [process.execPath, cliFile, ...args];
    const [program = '', ...rest] =
      options.shell === undefined ? command : ['/bin/sh', '-c', options.shell, 'sh', ...command];
    const { PATH = '/usr/bin:/bin', HOME = '/' } = process.env;
    this.child = spawn(program, rest, {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { PATH, HOME, ...options.env, [MARK]: this.mark },
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    });
    assert.ok(this.child.pid !== undefined);
    this.pid = this.child.pid;
    const guardMs = args.includes('--host') ? GUARD_MS : OWN_HOST_GUARD_MS;
    const guard = setTimeout(() => this.child.kill('SIGKILL'), guardMs);
    test.after(() => {
      clearTimeout(guard);
      killMarked(this.mark);
    });
    this.ended = this.#end();
    this.child.stdin.on('error', () => {}); // it may end before it has read
    if (options.openStdin !== true) this.child.stdin.end(options.stdin ?? '');
    this.#collect(this.child.stderr, (text) => {
      this.#stderr += text;
    });
    if (options.holdStdout !== true) this.readStdout();
  }

  get stdout(): string {
    return this.#stdout;
  }

  get stderr(): string {
    return this.#stderr;
  }

  readStdout(): void {
    this.#collect(this.child.stdout, (text) => {
      this.#stdout += text;
    });
  }

  /** Waits until stderr, or stdout, holds what is looked for; fails when the run ends without it. */
  async seen(pattern: RegExp): Promise<RegExpExecArray> {
    const match = await this.#when(() => pattern.exec(this.#stderr) ?? pattern.exec(this.#stdout));
    assert.ok(match !== null, `ended without ${pattern}: ${this.#stdout.slice(0, 2_000)}${this.#stderr}`);
    return match;
  }

  /** Waits for an event of a run with `--json`. */
  async event(type: string): Promise<CliEvent> {
    const event = await this.#when(() => this.#events().find((one) => one.type === type) ?? null);
    assert.ok(event !== null, `ended without an event ${type}: ${this.#stdout}${this.#stderr}`);
    return event;
  }

  /** What everything must satisfy at its end: it ended by itself, without a word of Node's, and left no process. */
  async finish(): Promise<Ended> {
    const ended = await this.ended;
    assert.equal(ended.signal, null, `ended by ${ended.signal}, perhaps by the guard of this test: ${ended.stderr}`);
    assertNoStackOfOurs(ended.stderr);
    await this.nothingLeft();
    return ended;
  }

  async nothingLeft(limitMs?: number): Promise<void> {
    try {
      await eventually(() => this.left().length === 0, limitMs);
    } catch (error) {
      throw new Error(`left behind: ${JSON.stringify(this.left())}`, { cause: error });
    }
  }

  /** The marked processes, and whoever is in the group of a host that the run has told us about. */
  left(): string[] {
    const hosts = [...`${this.#stdout}\n${this.#stderr}`.matchAll(/^\{"type":"host".*?"pid":(\d+)|, pid (\d+)$/gm)];
    const members = hosts.flatMap(([, one, other]) => processesInGroup(Number(one ?? other)));
    return [...markedProcesses(this.mark).map(({ pid, command }) => `${pid} ${command}`), ...members.map(String)];
  }

  #events(): CliEvent[] {
    return parseEvents(this.#stdout.slice(0, this.#stdout.lastIndexOf('\n') + 1));
  }

  #collect(stream: Readable, add: (text: string) => void): void {
    stream.setEncoding('utf8').on('data', (text: string) => {
      add(text);
      this.#tell();
    });
  }

  #tell(): void {
    for (const watcher of [...this.#watchers]) watcher();
  }

  #when<T>(look: () => T | null): Promise<T | null> {
    return new Promise((resolve) => {
      const watcher = (): void => {
        const found = look();
        if (found === null && !this.#closed) return;
        this.#watchers.delete(watcher);
        resolve(found);
      };
      this.#watchers.add(watcher);
      watcher();
    });
  }

  #end(): Promise<Ended> {
    return new Promise((resolve, reject) => {
      this.child.once('error', reject);
      this.child.once('close', (code, signal) => {
        this.#closed = true;
        this.#tell();
        resolve({ code, signal, stdout: this.#stdout, stderr: this.#stderr });
      });
    });
  }
}

/** Runs the built command line to its end. */
export const runCli = (test: TestContext, args: readonly string[], options?: CliOptions): Promise<Ended> =>
  new CliRun(test, args, options).finish();

/** The events of a run with `--json`: every line is one. */
export function parseEvents(stdout: string): CliEvent[] {
  if (stdout === '') return [];
  assert.ok(stdout.endsWith('\n'), `a line without an end: ${stdout.slice(-200)}`);
  return stdout
    .slice(0, -1)
    .split('\n')
    .map((line) => JSON.parse(line) as CliEvent);
}

export const lastEvent = (stdout: string): CliEvent => {
  const last = parseEvents(stdout).at(-1);
  assert.ok(last !== undefined, 'no event at all');
  return last;
};

export function assertNoStackOfOurs(stderr: string): void {
  assert.doesNotMatch(stderr, /node:internal|^\s+at .*\.cjs:\d|[Uu]nhandled|[Uu]ncaught|\(node:\d+\)/m);
}

/** A promised limit on a machine that has other things to do as well. */
export const patience = (limitMs: number): number => limitMs * (1 + loadavg()[0]! / availableParallelism());

export async function temporaryFolder(test: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'codemode-e2e-'));
  test.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export async function temporaryFile(test: TestContext, name: string, text: string, mode = 0o644): Promise<string> {
  const file = join(await temporaryFolder(test), name);
  await writeFile(file, text, { mode });
  return file;
}
