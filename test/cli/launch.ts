import { type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';

/** The built program, as users start it. */
export const program = fileURLToPath(new URL('../../../bin/codemode-run.js', import.meta.url));
export const example = (name: string): string => fileURLToPath(new URL(`../../../examples/${name}`, import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface LaunchOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Standard input; `null` leaves it open. */
  readonly input?: string | null;
}

export class Run {
  readonly child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly ended: Promise<Ended>;
  #stdout = '';
  #stderr = '';

  constructor(args: readonly string[], options: LaunchOptions = {}) {
    this.child = spawn(process.execPath, [program, ...args], {
      cwd: options.cwd,
      env: options.env,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.child.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.#stdout += text;
    });
    this.child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr += text;
    });
    this.child.stdin.on('error', () => {});
    if (options.input !== null) this.child.stdin.end(options.input ?? '');
    this.ended = new Promise((resolve, reject) => {
      this.child.on('error', reject);
      this.child.on('close', (code, signal) => resolve({ code, signal, stdout: this.#stdout, stderr: this.#stderr }));
    });
  }

  /** Resolves when stdout contains the text. */
  async says(text: string): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const look = (): void => {
        if (this.#stdout.includes(text)) resolve();
      };
      this.child.stdout.on('data', look);
      this.child.on('close', () => reject(new Error(`ended without saying ${text}: ${this.#stdout}${this.#stderr}`)));
      look();
    });
  }

  /** With `--json`: the host's pid, which is also the id of its process group. */
  async hostPid(): Promise<number> {
    await this.says('"pid":');
    return Number(/"pid":(\d+)/.exec(this.#stdout)?.[1]);
  }
}

export const launch = (args: readonly string[], options?: LaunchOptions): Promise<Ended> =>
  new Run(args, options).ended;

export interface Event {
  readonly type: string;
  readonly [name: string]: unknown;
}

/** The events of a `--json` run; every line must be one. */
export const events = ({ stdout }: Ended): Event[] => {
  const lines = stdout.split('\n');
  if (lines.pop() !== '') throw new Error('the last line does not end');
  return lines.map((line) => JSON.parse(line) as Event);
};

/** Resolves when no member of the process group runs any more; fails after `ms`. */
export async function groupEnds(group: number, ms = 5_000): Promise<void> {
  const deadline = performance.now() + ms;
  while (groupRuns(group)) {
    if (performance.now() > deadline) throw new Error(`group ${group} is still there after ${ms} ms`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Zombies do not count: whose parent is gone waits for init, which in a container may take its time. */
function groupRuns(group: number): boolean {
  const { stdout } = spawnSync('ps', ['-eo', 'pgid=,stat='], { encoding: 'utf8' });
  return stdout
    .split('\n')
    .map((line) => line.trim().split(/ +/))
    .some(([pgid, state]) => Number(pgid) === group && state?.startsWith('Z') === false);
}
