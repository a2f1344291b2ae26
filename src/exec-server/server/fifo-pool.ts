import { execFile } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, rmSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const BATCH = 16;
const MKFIFO_LIMIT_MS = 5_000;

/**
 * Pipes for children. Node gives them sockets instead, which can not be opened by name: `echo x > /dev/stderr` then
 * fails in the child. A pipe can also be read to its present end at once, which is how we know that all of a leader's
 * output is out. Node has no call that makes one, so they come from `mkfifo`, some at a time, and lose their names when
 * they are opened.
 */
export class FifoPool {
  readonly folder: string | undefined;
  readonly #names: string[] = [];
  #made = 0;
  #making: Promise<void> | undefined;
  #broken = process.platform === 'win32';

  constructor() {
    this.folder = this.#broken ? undefined : temporaryFolder();
    this.#broken ||= this.folder === undefined;
  }

  /** Undefined where there is no `mkfifo`. */
  async take(count: number): Promise<readonly string[] | undefined> {
    while (!this.#broken && this.#names.length < count) await this.#refill();
    if (this.#broken) return undefined;
    const taken = this.#names.splice(0, count);
    if (this.#names.length < BATCH / 2) void this.#refill();
    return taken;
  }

  close(): void {
    this.#broken = true;
    if (this.folder === undefined) return;
    try {
      rmSync(this.folder, { recursive: true, force: true });
    } catch {
      // Some are just being made; then the leash removes it, when we are gone.
    }
  }

  #refill(): Promise<void> {
    this.#making ??= this.#make().finally(() => {
      this.#making = undefined;
    });
    return this.#making;
  }

  async #make(): Promise<void> {
    const names = Array.from({ length: BATCH }, (_, index) => join(this.folder ?? '', `${this.#made + index}`));
    this.#made += BATCH;
    const made = await new Promise<boolean>((resolve) => {
      const env = { PATH: '/usr/bin:/bin:/usr/local/bin' };
      execFile('mkfifo', ['-m', '600', ...names], { env, cwd: '/', timeout: MKFIFO_LIMIT_MS }, (error) =>
        resolve(error === null),
      );
    });
    if (made) this.#names.push(...names);
    else this.#broken = true;
  }
}

function temporaryFolder(): string | undefined {
  try {
    return mkdtempSync(join(tmpdir(), 'codemode-exec-'));
  } catch {
    return undefined;
  }
}

/** One end for us, which never blocks, and one for the child, which does. */
export interface Pipe {
  readonly ours: number;
  readonly theirs: number;
}

/** A pipe that the child writes to. Neither open waits, as the other end is there. */
export function openOutput(name: string): Pipe {
  const ours = openSync(name, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    return { ours, theirs: openSync(name, constants.O_WRONLY) };
  } catch (error) {
    closeSync(ours);
    throw error;
  } finally {
    unlinkSync(name);
  }
}

/** A pipe that the child reads from. */
export function openInput(name: string): Pipe {
  // Opening for writing only fails without a reader, opening for reading only waits for a writer.
  const held = openSync(name, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const ours = openSync(name, constants.O_WRONLY | constants.O_NONBLOCK);
    try {
      return { ours, theirs: openSync(name, constants.O_RDONLY) };
    } catch (error) {
      closeSync(ours);
      throw error;
    }
  } finally {
    closeSync(held);
    unlinkSync(name);
  }
}
