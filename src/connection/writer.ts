import type { CodemodeError } from '../errors.js';
import { type Codec, encodeFrame, type Message } from '../protocol/index.js';
import type { ByteSink } from './bytes.js';
import { queueFull, writeFailed, writerClosed } from './messages.js';

/** Requests that may wait for a host that does not read. */
const QUEUE_LIMIT = 128;
/** Pieces up to this size are joined into one write. */
const JOINED_BYTES = 65_536;

/** A request waits in a short queue; answers to calls of the host have a longer one. */
export type Lane = 'request' | 'answer';

/** Where the driver puts its messages; it never waits for it. */
export interface Outlet {
  encode(message: Message): readonly Uint8Array[];
  send(frame: readonly Uint8Array[], lane: Lane): void;
}

export interface WriterOptions {
  readonly codec: Codec;
  readonly answerLimit: number;
  /** The pipe broke. */
  readonly broken: (symptom: CodemodeError) => void;
}

/**
 * Messages in, bytes out. All frames of one tick become one write. While the pipe is full, frames wait here and are
 * counted; the driver never waits. The loop ends by itself when the pipe closes or breaks, or by `stop`: a dead
 * child's pipe never drains.
 */
export class Writer implements Outlet {
  readonly #sink: ByteSink;
  readonly #options: WriterOptions;
  #batch: Uint8Array[] = [];
  #waiting: Record<Lane, number> = { request: 0, answer: 0 };
  #scheduled = false;
  #blocked = false;
  #stopped = false;

  constructor(sink: ByteSink, options: WriterOptions) {
    this.#sink = sink;
    this.#options = options;
    sink.on('drain', this.#drained);
    sink.on('error', this.#failed);
    sink.on('close', this.#closed);
    if (sink.errored != null) this.#failed(sink.errored);
    else if (sink.destroyed) this.#closed();
    else this.#blocked = sink.writableNeedDrain;
  }

  /** Throws `frame-too-large`, or what the codec throws, before anything is queued. */
  encode(message: Message): readonly Uint8Array[] {
    return encodeFrame(this.#options.codec.encode(message));
  }

  /** Throws `queue-full` when the host does not read. */
  send(frame: readonly Uint8Array[], lane: Lane): void {
    if (this.#stopped) return;
    if (this.#blocked) {
      const limit = lane === 'request' ? QUEUE_LIMIT : this.#options.answerLimit;
      if (this.#waiting[lane] >= limit) throw queueFull(this.#waiting[lane]);
      this.#waiting[lane]++;
    }
    this.#batch.push(...frame);
    if (!this.#blocked) this.#schedule();
  }

  /** Frames that wait for the host to read. */
  get waiting(): number {
    return this.#waiting.request + this.#waiting.answer;
  }

  stop(): void {
    this.#stopped = true;
    this.#batch = [];
    this.#sink.off('drain', this.#drained);
    this.#sink.off('close', this.#closed);
    // The error listener stays: a late EPIPE without one would end our process.
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    process.nextTick(() => {
      this.#scheduled = false;
      this.#flush();
    });
  }

  #flush(): void {
    if (this.#stopped || this.#blocked || this.#batch.length === 0) return;
    const pieces = joinSmall(this.#batch);
    this.#batch = [];
    this.#waiting = { request: 0, answer: 0 };
    this.#sink.cork();
    for (const piece of pieces) this.#sink.write(piece, ignore);
    this.#sink.uncork();
    this.#blocked = this.#sink.writableNeedDrain;
  }

  readonly #drained = (): void => {
    this.#blocked = false;
    this.#flush();
  };

  readonly #failed = (error: Error): void => {
    if (this.#stopped) return;
    this.stop();
    this.#options.broken(writeFailed(error));
  };

  readonly #closed = (): void => {
    if (this.#stopped) return;
    this.stop();
    this.#options.broken(writerClosed());
  };
}

/** Write errors arrive as the stream's `error` event too, where they are handled. */
const ignore = () => undefined;

/** Large pieces stay as they are; runs of small ones are copied together, which is cheaper than a write for each. */
function joinSmall(pieces: readonly Uint8Array[]): Uint8Array[] {
  const joined: Uint8Array[] = [];
  let run: Uint8Array[] = [];
  let bytes = 0;
  const endRun = () => {
    const [only] = run;
    if (only !== undefined) joined.push(run.length === 1 ? only : Buffer.concat(run, bytes));
    run = [];
    bytes = 0;
  };
  for (const piece of pieces) {
    if (bytes + piece.byteLength > JOINED_BYTES) endRun();
    run.push(piece);
    bytes += piece.byteLength;
  }
  endRun();
  return joined;
}
