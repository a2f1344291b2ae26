import { readSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { MAX_CHUNK_BYTES, type OutputStream } from '../wire/index.js';

/** More than a pipe or a terminal can hold: what is there when the leader has ended is less. */
const MAX_DRAIN_BYTES = 1_310_720;
const DRAIN_BLOCK_BYTES = 65_536;

export interface SourceEvents {
  chunk(stream: OutputStream, bytes: Buffer): void;
  end(): void;
}

/** One stream of a process's output. Nothing of it is passed on before `start`. */
export class OutputSource {
  readonly stream: OutputStream;
  readonly #readable: Readable;
  readonly #descriptor: number | undefined;
  #events: SourceEvents | undefined;
  #ended = false;
  #gone = false;

  /** `descriptor` is ours to read without blocking; without one, `drain` can not know what is still under way. */
  constructor(stream: OutputStream, readable: Readable, descriptor: number | undefined) {
    this.stream = stream;
    this.#readable = readable;
    this.#descriptor = descriptor;
    readable.on('error', () => this.#leave());
    readable.on('close', () => this.#leave());
    readable.on('end', () => this.#leave());
  }

  get ended(): boolean {
    return this.#ended;
  }

  start(events: SourceEvents): void {
    this.#events = events;
    this.#readable.on('data', (bytes: Buffer) => this.#pass(bytes));
    if (this.#gone) this.#end();
  }

  pause(): void {
    if (!this.#ended) this.#readable.pause();
  }

  resume(): void {
    if (!this.#ended) this.#readable.resume();
  }

  /**
   * Passes on everything that has been written until now. A pipe keeps the order, so after the leader's end that is all of
   * its output; a child that goes on writing can not keep us here. False when there may be more.
   */
  drain(): boolean {
    if (this.#ended) return true;
    // In flowing mode too: `read` takes what `pause` has left behind, and tells through `data`.
    while (!this.#ended && this.#readable.read() !== null);
    if (this.#ended || this.#gone) return true;
    if (this.#descriptor === undefined) return false;
    for (let total = 0; total < MAX_DRAIN_BYTES; ) {
      const bytes = readNow(this.#descriptor);
      if (bytes === undefined) return true;
      total += bytes.length;
      this.#pass(bytes);
    }
    return true;
  }

  /** Whoever still writes gets EPIPE. */
  stop(): void {
    this.#gone = true;
    this.#readable.destroy();
    this.#end();
  }

  #pass(bytes: Buffer): void {
    if (this.#ended) return;
    for (let at = 0; at < bytes.length; at += MAX_CHUNK_BYTES) {
      this.#events?.chunk(this.stream, bytes.subarray(at, at + MAX_CHUNK_BYTES));
    }
  }

  /** The stream has no more to say; before `start` nobody would hear it. */
  #leave(): void {
    this.#gone = true;
    if (this.#events !== undefined) this.#end();
  }

  #end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#events?.end();
  }
}

/** Nothing at the end of the stream, or where a read would have to wait. */
function readNow(descriptor: number): Buffer | undefined {
  const block = Buffer.allocUnsafeSlow(DRAIN_BLOCK_BYTES);
  try {
    const length = readSync(descriptor, block);
    if (length === 0) return undefined;
    return length > DRAIN_BLOCK_BYTES / 2 ? block.subarray(0, length) : Buffer.from(block.subarray(0, length));
  } catch {
    return undefined;
  }
}
