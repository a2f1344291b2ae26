import { writeSync } from 'node:fs';
import type { Writable } from 'node:stream';

/** The way to a child's stdin. Nothing here waits for the child; what it does not read is kept. */
export interface StdinWriter {
  readonly queuedBytes: number;
  /** The child, or we, have closed it. */
  readonly closed: boolean;
  write(bytes: Buffer): void;
  /** Closes it behind what is queued. */
  end(): void;
  /** At once, with everything that is queued. */
  destroy(): void;
  /** Runs when there is less in the queue than before, or it is closed; once. */
  onProgress(then: () => void): void;
}

class Waiters {
  #waiting: (() => void)[] = [];

  add(then: () => void): void {
    this.#waiting.push(then);
  }

  wake(): void {
    const woken = this.#waiting;
    this.#waiting = [];
    for (const then of woken) then();
  }
}

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

const RETRY_MS = 10;
const endOfTransmission = Buffer.from([4]);

/**
 * For a terminal, written to directly: Node writes to terminals blocking, and one whose program does not read would stop
 * the whole server.
 */
export class TerminalStdin implements StdinWriter {
  readonly #descriptor: number;
  readonly #waiters = new Waiters();
  #queue: Buffer[] = [];
  #queuedBytes = 0;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(descriptor: number) {
    this.#descriptor = descriptor;
  }

  get queuedBytes(): number {
    return this.#queuedBytes;
  }

  get closed(): boolean {
    return this.#closed;
  }

  write(bytes: Buffer): void {
    if (this.#closed || bytes.length === 0) return;
    this.#queue.push(bytes);
    this.#queuedBytes += bytes.length;
    if (this.#timer === undefined) this.#flush();
  }

  /** A terminal has no end but the character for it. */
  end(): void {
    this.write(endOfTransmission);
  }

  /** Must come before the descriptor is closed: its number may be given to another file at once. */
  destroy(): void {
    this.#closed = true;
    this.#queue = [];
    this.#queuedBytes = 0;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#waiters.wake();
  }

  onProgress(then: () => void): void {
    this.#waiters.add(then);
  }

  #flush(): void {
    this.#timer = undefined;
    let wrote = false;
    for (let first = this.#queue[0]; first !== undefined; first = this.#queue[0]) {
      const length = this.#tryWrite(first);
      if (length === undefined) return;
      wrote ||= length > 0;
      this.#queuedBytes -= length;
      if (length === first.length) this.#queue.shift();
      else {
        this.#queue[0] = first.subarray(length);
        this.#timer = setTimeout(() => this.#flush(), RETRY_MS);
        break;
      }
    }
    if (wrote) this.#waiters.wake();
  }

  /** How much was taken; undefined when the terminal is gone. */
  #tryWrite(bytes: Buffer): number | undefined {
    try {
      return writeSync(this.#descriptor, bytes);
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'EAGAIN') return 0;
      this.destroy();
      return undefined;
    }
  }
}
