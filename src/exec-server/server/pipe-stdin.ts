import type { Writable } from 'node:stream';
import type { StdinWriter } from './stdin-writer.js';
import { Waiters } from './waiters.js';

/** A pipe to the child. */
export class PipeStdin implements StdinWriter {
  readonly #writable: Writable;
  readonly #waiters = new Waiters();
  #closed = false;

  constructor(writable: Writable) {
    this.#writable = writable;
    const lost = (): void => {
      this.#closed = true;
      this.#waiters.wake();
    };
    writable.on('error', lost);
    writable.on('close', lost);
  }

  get queuedBytes(): number {
    return this.#closed ? 0 : this.#writable.writableLength;
  }

  get closed(): boolean {
    return this.#closed;
  }

  write(bytes: Buffer): void {
    if (!this.#closed && bytes.length > 0) this.#writable.write(bytes, () => this.#waiters.wake());
  }

  end(): void {
    if (!this.#closed) this.#writable.end();
    this.#closed = true;
  }

  destroy(): void {
    this.#writable.destroy();
    this.#closed = true;
    this.#waiters.wake();
  }

  onProgress(then: () => void): void {
    this.#waiters.add(then);
  }
}
