import type { CodemodeError } from '../../errors.js';
import type { CallOptions } from '../connection/pending-calls.js';
import type { TerminateResult, WriteStatus } from '../wire/process-results.js';
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

/**
 * A process on the server. Iterating gives its events, in order, to one reader, and ends behind `closed`; leaving the loop
 * does not end the process. `await using` terminates it.
 */
export class RemoteProcess implements AsyncIterable<ProcessEvent, undefined>, AsyncDisposable {
  readonly id: string;
  readonly #session: Session;
  readonly #stream: ProcessStream;
  #writing: Promise<unknown> = Promise.resolve();
  #writes = 0;

  /** @internal */
  constructor(session: Session, id: string, onClosed: () => void, bufferBytes: number | undefined) {
    this.id = id;
    this.#session = session;
    this.#stream = new ProcessStream({
      processId: id,
      ask: (afterSeq) => readProcess(session, id, { afterSeq, waitMs: 0 }),
      onClosed,
      bufferBytes,
    });
  }

  /** Everything was told. */
  get closed(): boolean {
    return this.#stream.closed;
  }

  [Symbol.asyncIterator](): AsyncIterator<ProcessEvent, undefined> {
    const stream = this.#stream;
    return { next: () => stream.next(), return: () => Promise.resolve({ value: undefined, done: true }) };
  }

  /** What the server retains; reading it takes nothing away from the events. */
  read(options: ReadOptions = {}): Promise<ProcessOutput> {
    return readProcess(this.#session, this.id, options);
  }

  /** Writes in the order of the calls. `accepted` means queued on the server. A cut connection writes nothing twice. */
  write(data: string | Uint8Array, options: WriteOptions = {}): Promise<WriteStatus> {
    const bytes = typeof data === 'string' ? Buffer.from(data) : data;
    const writeId = () => `${this.id}-${++this.#writes}`;
    const write = () => writeProcess(this.#session, this.id, bytes, writeId, options);
    const written = this.#writing.then(write, write);
    this.#writing = written.catch(() => undefined);
    return written;
  }

  /** Kills the process with its group. `running` is false when it had ended before. */
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
    this.#stream.start();
    if (cut) this.#stream.repair();
  }

  /** @internal */
  push(event: NumberedEvent): void {
    this.#stream.push(event);
  }

  /** @internal The connection was cut and is there again. */
  resumed(): void {
    this.#stream.repair();
  }

  /** @internal */
  fail(reason: CodemodeError): void {
    this.#stream.fail(reason);
  }
}
