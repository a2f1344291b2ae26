import { spawn } from 'node:child_process';
import { locateProgram } from '../../process/program.js';
import { startTimer } from '../../waiting/timer.js';
import type { Mark } from './mark.js';
import { fileLocksIn } from './process-list.js';
import { isSureToStart } from './program-image.js';
import { shieldedStdio } from './shielded-files.js';
import { systemProgram } from './system-program.js';

const TRIAL_LIMIT_MS = 5_000;
/** Above every mark, and below 2 to the power of 63: where this can be set, all of them can. */
const TRIAL_VALUE = '9100000000000000000';
/** After a trial that has failed, for want of `prlimit` or of a process. */
const RETRY_MS = 60_000;
/** The system takes 128 KiB of arguments and environment at least; what stands in front needs some of that. */
const MAX_START_BYTES = 120 * 1_024;
const POINTER_BYTES = 8;

export interface PlainStart {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Puts `prlimit` in front of a program, which gives it a limit for a mark, becomes the program, and changes nothing else.
 * What it can not start it would only complain about, where a start is to be refused in the words of the system: so it
 * stands in front of what is sure to start, and of nothing that may disturb `prlimit` itself.
 */
export class LimitFront {
  readonly #path: string | undefined;
  #works: Promise<boolean> | undefined;
  #retryAt = 0;

  /** `path`: the folders in which `prlimit` is looked for, if not those of the system. */
  constructor(path?: string) {
    this.#path = path;
  }

  /** What to put in front of `argv`; undefined where the start is better left as it is. */
  async of(mark: Mark, start: PlainStart): Promise<readonly string[] | undefined> {
    if (!isFit(start) || !(await this.#canLimit())) return undefined;
    const file = systemProgram('prlimit', this.#path);
    return file === undefined ? undefined : frontOf(file, mark.value);
  }

  async #canLimit(): Promise<boolean> {
    if (performance.now() < this.#retryAt) return false;
    this.#works ??= tryOut(this.#path);
    const works = await this.#works;
    if (!works) {
      this.#works = undefined;
      this.#retryAt = performance.now() + RETRY_MS;
    }
    return works;
  }
}

/** `prlimit` would get them first: it may not find its own libraries then, or has something to say. */
const disturbing = /^(LD_|GLIBC_TUNABLES$|LIBSMARTCOLS_DEBUG)/;

const frontOf = (file: string, value: string): string[] => [file, `--locks=${value}:`, '--'];

function isFit({ argv, cwd, env }: PlainStart): boolean {
  if (Object.keys(env).some((name) => disturbing.test(name))) return false;
  const texts = [...argv, ...Object.entries(env).map(([name, value]) => `${name}=${value}`)];
  const bytes = texts.reduce((total, text) => total + Buffer.byteLength(text) + 1 + POINTER_BYTES, 0);
  if (bytes > MAX_START_BYTES) return false;
  const { file } = locateProgram(argv[0] ?? '', cwd, env.PATH);
  return file !== undefined && isSureToStart(file);
}

/** Whether a limit that is set can be seen: there may be a lower one already, or a system that does not let us. */
async function tryOut(path: string | undefined): Promise<boolean> {
  const prlimit = systemProgram('prlimit', path);
  const cat = systemProgram('cat');
  if (prlimit === undefined || cat === undefined) return false;
  const text = await outputOf([...frontOf(prlimit, TRIAL_VALUE), cat, '/proc/self/limits']).catch(() => '');
  return fileLocksIn(text) === TRIAL_VALUE;
}

function outputOf([program = '', ...args]: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: '/', env: {}, stdio: shieldedStdio(['ignore', 'pipe', 'ignore']) });
    const stopTimer = startTimer(TRIAL_LIMIT_MS, () => child.kill('SIGKILL'));
    let text = '';
    child.stdout?.on('data', (bytes) => {
      text += bytes;
    });
    child.on('error', (error) => {
      stopTimer();
      reject(error);
    });
    child.on('close', () => {
      stopTimer();
      resolve(text);
    });
  });
}
