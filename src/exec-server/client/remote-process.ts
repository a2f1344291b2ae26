import type { CodemodeError } from '../../errors.js';
import { dataWords, isData, needArgument } from '../../names/argument.js';
import type { CallOptions } from '../connection/pending-calls.js';
import type { TerminateResult, WriteStatus } from '../wire/process-results.js';
import { noEvents } from './messages.js';
import {
  interruptProcess,
  type ReadOptions,
  readProcess,
  resizeProcess,
  type StartOptions,
  startProcess,
  type TerminateOptions,
  terminateProcess,
  type WriteOptions,
  writeProcess,
} from './process-calls.js';
import type { NumberedEvent, ProcessEvent, ProcessOutput } from './process-event.js';
import { ProcessStream } from './process-stream.js';
import type { Session } from './session.js';

export interface ProcessOptions {
  /** Everything was told; once. */
  readonly onClosed: () => void;
  readonly bufferBytes: number | undefined;
  /** Default: true. */
  readonly events?: boolean | undefined;
}

/**
 * A process on the server. Iterating gives its events, in order, to one reader, and ends behind `closed`; leaving the loop
 * does not end the process. `await using` terminates it.
 */
export class RemoteProcess implements AsyncIterable<ProcessEvent>, AsyncDisposable {
  readonly id: string;
  readonly #session: Session;
  readonly #stream: ProcessStream;
  readonly #onClosed: () => void;
  /** Without it nothing of its events is kept but its end. */
  readonly #keepsEvents: boolean;
  #exited = false;
  #closed = false;
  #writing: Promise<unknown> = Promise.resolve();
  #writes = 0;

  /** @internal */
  constructor(session: Session, id: string, options: ProcessOptions) {
    const { onClosed, bufferBytes, events = true } = options;
    this.id = id;
    this.#session = session;
    this.#onClosed = onClosed;
    this.#keepsEvents = events;
    this.#stream = new ProcessStream({
      processId: id,
      ask: (afterSeq) => readProcess(session, id, { afterSeq, waitMs: 0 }),
      onClosed,
      bufferBytes,
    });
  }

  /** Everything was told. */
  get closed(): boolean {
    return this.#closed || this.#stream.closed;
  }

  /** The process itself is known to have ended. */
  get exited(): boolean {
    return this.#exited;
  }

  [Symbol.asyncIterator](): AsyncIterator<ProcessEvent, undefined> {
    if (!this.#keepsEvents) throw noEvents(this.id);
    const stream = this.#stream;
    return { next: () => stream.next(), return: () => Promise.resolve({ value: undefined, done: true }) };
  }

  /**
   * What the server retains, 1 MiB or 50,000 chunks of the latest; reading it takes nothing away from the events. What was
   * dropped is told by `truncated`, `firstSeq` and `droppedBytes`. Rejects with `operation-failed` when the server has
   * forgotten the process: 80 s after its end, or earlier where many end. All calls here reject with `cancelled` and
   * `operation-timeout` as their options say, and with the reason of the client when that is over.
   */
  async read(options: ReadOptions = {}): Promise<ProcessOutput> {
    const output = await readProcess(this.#session, this.id, options);
    this.#learn(output.exited, output.closed === true);
    return output;
  }

  /**
   * Writes in the order of the calls, in pieces of 512 KiB. `accepted` means queued on the server, which waits with its
   * answer while the child has more than 8 MiB to read; any other status means that the last piece, and what is behind it,
   * was not. A cut connection writes nothing twice. Rejects with `operation-failed` (`data.data.kind`: `stdinFull`) where the
   * server takes no more.
   */
  async write(data: string | Uint8Array, options: WriteOptions = {}): Promise<WriteStatus> {
    needArgument('write', 'data', data, isData, dataWords);
    const bytes = typeof data === 'string' ? Buffer.from(data) : data;
    const writeId = () => `${this.id}-${++this.#writes}`;
    const write = () => writeProcess(this.#session, this.id, bytes, writeId, options);
    const written = this.#writing.then(write, write);
    this.#writing = written.catch(() => undefined);
    return await written;
  }

  /**
   * Kills the process and everything below it, at once unless `graceMs` says otherwise; resolves when that was done, or
   * asked for. `running` is false when it had ended before, and when the server does not know it.
   */
  terminate(options: TerminateOptions = {}): Promise<TerminateResult> {
    return terminateProcess(this.#session, this.id, options);
  }

  /** SIGINT to its group. */
  interrupt(options: CallOptions = {}): Promise<void> {
    return interruptProcess(this.#session, this.id, options);
  }

  /** The size of its terminal; for servers that know how. */
  resize(size: { readonly rows: number; readonly cols: number }, options: CallOptions = {}): Promise<void> {
    return resizeProcess(this.#session, this.id, size, options);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.closed && this.#session.reason === undefined) await this.terminate();
  }

  /** @internal */
  async start(options: StartOptions): Promise<void> {
    const cut = await startProcess(this.#session, this.id, options);
    if (this.#keepsEvents) this.#stream.start();
    if (cut) this.resumed();
  }

  /** @internal */
  push(numbered: NumberedEvent): void {
    const { type } = numbered.event;
    if (this.#keepsEvents) {
      if (type === 'exited') this.#exited = true;
      this.#stream.push(numbered);
    } else this.#learn(type === 'exited', type === 'closed');
  }

  /** @internal The connection was cut and is there again. */
  resumed(): void {
    if (this.#keepsEvents) this.#stream.repair();
    // Nobody is told when it fails: whoever reads will be.
    else this.read({ afterSeq: Number.MAX_SAFE_INTEGER, waitMs: 0 }).catch(() => undefined);
  }

  /** @internal */
  fail(reason: CodemodeError): void {
    this.#stream.fail(reason);
  }

  #learn(exited: boolean, closed: boolean): void {
    if (exited || closed) this.#exited = true;
    if (!closed || this.#keepsEvents || this.#closed) return;
    this.#closed = true;
    this.#onClosed();
  }
}
