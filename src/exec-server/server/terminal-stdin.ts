import { writeSync } from 'node:fs';
import { startTimer } from '../../waiting/timer.js';
import type { StdinWriter } from './stdin-writer.js';
import { Waiters } from './waiters.js';

const RETRY_MS = 10;
const endOfTransmission = Buffer.from([4]);
/** A line ends behind these: a newline, a return, which a terminal makes one, and the end of transmission. */
const lineEnds: ReadonlySet<number> = new Set([10, 13, 4]);

/**
 * For a terminal, written to directly: Node writes to terminals blocking, and one whose program does not read would stop
 * the whole server.
 */
export class TerminalStdin implements StdinWriter {
  readonly endBytes = 2 * endOfTransmission.length;
  readonly #descriptor: number;
  readonly #waiters = new Waiters();
  #queue: Buffer[] = [];
  #queuedBytes = 0;
  #lastTaken = 0;
  #stopTimer: (() => void) | undefined;
  #last: number | undefined;
  #closed = false;

  constructor(descriptor: number) {
    this.#descriptor = descriptor;
  }

  get queuedBytes(): number {
    return this.#queuedBytes;
  }

  get quietMs(): number {
    return performance.now() - this.#lastTaken;
  }

  get closed(): boolean {
    return this.#closed;
  }

  write(bytes: Buffer): void {
    if (this.#closed || bytes.length === 0) return;
    this.#last = bytes.at(-1);
    if (this.#queuedBytes === 0) this.#lastTaken = performance.now();
    this.#queue.push(bytes);
    this.#queuedBytes += bytes.length;
    if (this.#stopTimer === undefined) this.#flush();
  }

  /** A terminal has no end but the character for it; inside a line the first one only hands that over. */
  end(): void {
    if (this.#last !== undefined && !lineEnds.has(this.#last)) this.write(endOfTransmission);
    this.write(endOfTransmission);
  }

  /** Must come before the descriptor is closed: its number may be given to another file at once. */
  destroy(): void {
    this.#closed = true;
    this.#queue = [];
    this.#queuedBytes = 0;
    this.#stopTimer?.();
    this.#stopTimer = undefined;
    this.#waiters.wake();
  }

  onProgress(then: () => void): () => void {
    return this.#waiters.add(then);
  }

  #flush(): void {
    this.#stopTimer = undefined;
    let wrote = false;
    for (let first = this.#queue[0]; first !== undefined; first = this.#queue[0]) {
      const length = this.#tryWrite(first);
      if (length === undefined) return;
      wrote ||= length > 0;
      this.#queuedBytes -= length;
      if (length === first.length) this.#queue.shift();
      else {
        this.#queue[0] = first.subarray(length);
        this.#stopTimer = startTimer(RETRY_MS, () => this.#flush());
        break;
      }
    }
    if (!wrote) return;
    this.#lastTaken = performance.now();
    this.#waiters.wake();
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
