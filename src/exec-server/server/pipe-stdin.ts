import type { Writable } from 'node:stream';
import type { StdinWriter } from './stdin-writer.js';
import { Waiters } from './waiters.js';

/** As much as a pipe of Linux takes at once: what a child reads is seen in steps of that. */
const PIECE_BYTES = 65_536;

/** A pipe to the child. */
export class PipeStdin implements StdinWriter {
  readonly endBytes = 0;
  readonly #writable: Writable;
  readonly #waiters = new Waiters();
  #queue: Buffer[] = [];
  #queuedBytes = 0;
  #lastTaken = 0;
  #writing = false;
  #closed = false;
  #lost = false;

  constructor(writable: Writable) {
    this.#writable = writable;
    writable.on('error', () => this.#drop());
    writable.on('close', () => this.#drop());
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
    if (this.#queuedBytes === 0) this.#lastTaken = performance.now();
    this.#queue.push(bytes);
    this.#queuedBytes += bytes.length;
    this.#next();
  }

  end(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#next();
  }

  destroy(): void {
    this.#writable.destroy();
    this.#drop();
  }

  onProgress(then: () => void): () => void {
    return this.#waiters.add(then);
  }

  /** One piece at a time: a stream that has several hands them over as one, and tells of them when all are taken. */
  #next(): void {
    if (this.#writing || this.#lost) return;
    const [first] = this.#queue;
    if (first === undefined) {
      if (this.#closed) this.#writable.end();
      return;
    }
    const piece = first.subarray(0, PIECE_BYTES);
    if (piece.length === first.length) this.#queue.shift();
    else this.#queue[0] = first.subarray(PIECE_BYTES);
    this.#writing = true;
    this.#writable.write(piece, (error) => (error == null ? this.#taken(piece.length) : this.#drop()));
  }

  #taken(bytes: number): void {
    this.#writing = false;
    if (this.#lost) return;
    this.#queuedBytes -= bytes;
    this.#lastTaken = performance.now();
    this.#waiters.wake();
    this.#next();
  }

  #drop(): void {
    this.#closed = true;
    this.#lost = true;
    this.#queue = [];
    this.#queuedBytes = 0;
    this.#waiters.wake();
  }
}
