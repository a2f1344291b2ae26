import { type OutputStream, RETAINED_BYTES, RETAINED_CHUNKS } from '../wire/index.js';

/** What a chunk takes besides its bytes, by measurement. */
const CHUNK_BYTES = 512;

export interface LoggedChunk {
  readonly seq: number;
  readonly stream: OutputStream;
  readonly bytes: Buffer;
}

export interface LogLimits {
  readonly bytes: number;
  readonly chunks: number;
}

export interface LogPage {
  readonly chunks: readonly LoggedChunk[];
  /** The number to go on from: `afterSeq = nextSeq - 1` skips nothing that is retained. */
  readonly nextSeq: number;
}

/** The numbers of a process's events, and the latest of its output. Whole chunks are evicted, oldest first. */
export class OutputLog {
  readonly #limits: LogLimits;
  #chunks: LoggedChunk[] = [];
  /** Evicted chunks still in the array: taking them out one by one would move all others each time. */
  #evicted = 0;
  #bytes = 0;
  #next = 1;
  #droppedBytes = 0;
  #lastDroppedSeq = 0;

  constructor(limits: LogLimits = { bytes: RETAINED_BYTES, chunks: RETAINED_CHUNKS }) {
    this.#limits = limits;
  }

  /** The number that the next event will have. */
  get nextSeq(): number {
    return this.#next;
  }

  get retainedBytes(): number {
    return this.#bytes;
  }

  /** What all of it takes of our memory, more or less: very small chunks are mostly something else than their bytes. */
  get heldBytes(): number {
    return this.#bytes + (this.#chunks.length - this.#evicted) * CHUNK_BYTES;
  }

  /** Evicted since the start. */
  get droppedBytes(): number {
    return this.#droppedBytes;
  }

  /** The oldest number of output that is retained; the next number when there is none. */
  get firstSeq(): number {
    return this.#chunks[this.#evicted]?.seq ?? this.#next;
  }

  /** Whether output behind the cursor is gone. */
  hasLostAfter(afterSeq: number): boolean {
    return this.#lastDroppedSeq > afterSeq;
  }

  append(stream: OutputStream, bytes: Buffer): LoggedChunk {
    const chunk = { seq: this.takeNumber(), stream, bytes };
    this.#chunks.push(chunk);
    this.#bytes += bytes.length;
    this.#evict();
    return chunk;
  }

  /** For an event that is no output. */
  takeNumber(): number {
    const seq = this.#next;
    this.#next += 1;
    return seq;
  }

  /** At least one chunk, if there is any; no more than `maxBytes` otherwise. Chunks are never split. */
  read(afterSeq: number, maxBytes: number | undefined): LogPage {
    const chunks: LoggedChunk[] = [];
    let total = 0;
    for (let at = this.#firstAfter(afterSeq); at < this.#chunks.length; at += 1) {
      const chunk = this.#chunks[at];
      if (chunk === undefined) break;
      if (maxBytes !== undefined && chunks.length > 0 && total + chunk.bytes.length > maxBytes) break;
      chunks.push(chunk);
      total += chunk.bytes.length;
      if (maxBytes !== undefined && total >= maxBytes) break;
    }
    const last = chunks.at(-1);
    return { chunks, nextSeq: maxBytes === undefined || last === undefined ? this.#next : last.seq + 1 };
  }

  #evict(): void {
    while (this.#bytes > this.#limits.bytes || this.#chunks.length - this.#evicted > this.#limits.chunks) {
      const oldest = this.#chunks[this.#evicted];
      if (oldest === undefined) break;
      this.#bytes -= oldest.bytes.length;
      this.#droppedBytes += oldest.bytes.length;
      this.#lastDroppedSeq = oldest.seq;
      this.#chunks[this.#evicted] = { ...oldest, bytes: nothing };
      this.#evicted += 1;
    }
    if (this.#evicted > 1_000 && this.#evicted * 2 > this.#chunks.length) {
      this.#chunks = this.#chunks.slice(this.#evicted);
      this.#evicted = 0;
    }
  }

  #firstAfter(afterSeq: number): number {
    let low = this.#evicted;
    let high = this.#chunks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#chunks[middle]?.seq ?? 0) > afterSeq) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

const nothing = Buffer.alloc(0);
