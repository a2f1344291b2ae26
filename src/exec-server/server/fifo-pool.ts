import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTimer } from '../../waiting/timer.js';
import { shieldedStdio } from './shielded-files.js';

const BATCH = 16;
const MKFIFO_LIMIT_MS = 5_000;
/** After a failure, which may have been one of the moment: no descriptors left, a full disk. */
const RETRY_MS = 1_000;

/**
 * Pipes for children. Node gives them sockets instead, which can not be opened by name: `echo x > /dev/stderr` then
 * fails in the child. A pipe can also be read to its present end at once, which is how we know that all of a leader's
 * output is out. Node has no call that makes one, so they come from `mkfifo`, some at a time, and lose their names when
 * they are opened.
 */
export class FifoPool {
  readonly #onFolder: (folder: string) => void;
  #name = newName();
  /** Of which somebody was told. */
  #told: string | undefined;
  /** Where pipes are made now; another one each time it is entered. */
  #folder: { readonly path: string } | undefined;
  #names: string[] = [];
  #made = 0;
  #making: Promise<boolean> | undefined;
  #closed = process.platform === 'win32';
  #retryAt = 0;

  /** `onFolder` hears of each folder before it is there. One that has gone, or could not be made, is tried again. */
  constructor(onFolder: (folder: string) => void) {
    this.#onFolder = onFolder;
  }

  /** Undefined where there is no `mkfifo`, or none can be made just now. */
  async take(count: number): Promise<readonly string[] | undefined> {
    // Somebody who clears away old files may have taken them.
    if (!this.#names.slice(0, count).every((name) => existsSync(name))) this.#leaveFolder();
    while (this.#names.length < count) if (!(await this.#refill())) return undefined;
    const taken = this.#names.splice(0, count);
    if (this.#names.length < BATCH / 2) this.#refill().catch(() => undefined);
    return taken;
  }

  close(): void {
    this.#closed = true;
    this.#leaveFolder();
  }

  #leaveFolder(): void {
    this.#names = [];
    const folder = this.#folder;
    this.#folder = undefined;
    if (folder === undefined) return;
    try {
      rmSync(folder.path, { recursive: true, force: true });
    } catch {
      // Some are just being made; then the leash removes it, when we are gone.
    }
  }

  #refill(): Promise<boolean> {
    this.#making ??= this.#make().finally(() => {
      this.#making = undefined;
    });
    return this.#making;
  }

  async #make(): Promise<boolean> {
    if (this.#closed || performance.now() < this.#retryAt) return false;
    try {
      const folder = this.#enterFolder();
      const names = Array.from({ length: BATCH }, (_, index) => join(folder.path, `${this.#made + index}`));
      this.#made += BATCH;
      await makeFifos(names);
      if (folder !== this.#folder) return false;
      this.#names.push(...names);
      return true;
    } catch {
      this.#retryAt = performance.now() + RETRY_MS;
      this.#leaveFolder();
      return false;
    }
  }

  #enterFolder(): { readonly path: string } {
    if (this.#folder !== undefined) return this.#folder;
    const path = join(tmpdir(), this.#name);
    if (path !== this.#told) this.#onFolder(path);
    this.#told = path;
    try {
      mkdirSync(path, { mode: 0o700 });
    } catch (error) {
      // Ours, and still in use, or somebody else's: there is nothing to be made in it.
      if (existsSync(path)) this.#name = newName();
      throw error;
    }
    this.#folder = { path };
    return this.#folder;
  }
}

const newName = (): string => `codemode-exec-${randomUUID()}`;

function makeFifos(names: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const maker = spawn('mkfifo', ['-m', '600', ...names], {
      env: { PATH: '/usr/bin:/bin:/usr/local/bin' },
      cwd: '/',
      stdio: shieldedStdio(['ignore', 'ignore', 'ignore']),
    });
    const stopTimer = startTimer(MKFIFO_LIMIT_MS, () => maker.kill('SIGKILL'));
    maker.on('error', (error) => {
      stopTimer();
      reject(error);
    });
    maker.on('exit', (code) => {
      stopTimer();
      if (code === 0) resolve();
      else reject(new Error(`mkfifo ended with ${code}`));
    });
  });
}
