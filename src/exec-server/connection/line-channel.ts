import type { Readable, Writable } from 'node:stream';
import type { CodemodeError } from '../../errors.js';
import { startTimer } from '../../waiting/timer.js';
import type { OutgoingMessage } from '../wire/encoded-result.js';
import { LineFramer } from './line-framer.js';
import type { ChannelEvents, MessageChannel } from './message-channel.js';
import { connectionLost, peerEndedStream, streamBroke } from './messages.js';

/** How long the last messages wait for a peer that does not read. */
const FLUSH_LIMIT_MS = 1_000;
/** How long an output that broke waits for the end of the input. */
const BREAK_GRACE_MS = 100;

export interface LineChannelOptions {
  readonly input: Readable;
  readonly output: Writable;
  /** Default: 64 MiB. */
  readonly maxLineBytes?: number;
  /** Called once when the channel is closed, instead of ending `output`: a program's stdout is not its to end. */
  readonly release?: () => void;
}

/** One message per line over two byte streams. */
export class LineChannel implements MessageChannel {
  readonly complaint = 'failed to parse JSON-RPC message from exec-server stdio';
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #framer: LineFramer;
  readonly #release: (() => void) | undefined;
  #events: ChannelEvents | undefined;
  readonly #chunks: Uint8Array[] = [];
  #inputOver: { readonly error: Error | undefined } | undefined;
  #paused = false;
  #delivering = false;
  #ended = false;
  #broken: CodemodeError | undefined;
  #blocked: { accept(): void; refuse(reason: Error): void } | undefined;
  #closing: Promise<void> | undefined;
  #stopTimer: (() => void) | undefined;

  constructor({ input, output, maxLineBytes, release }: LineChannelOptions) {
    this.#input = input;
    this.#output = output;
    this.#framer = new LineFramer(maxLineBytes);
    this.#release = release;
    output.on('error', (error) => this.#break(streamBroke(error)));
    output.on('close', () => this.#break(connectionLost('the other side reads no more')));
    output.on('drain', () => this.#unblock());
  }

  start(events: ChannelEvents): void {
    this.#events = events;
    const input = this.#input;
    input.on('data', (chunk: Buffer) => {
      this.#chunks.push(chunk);
      this.#deliver();
    });
    input.on('end', () => this.#endInput(undefined));
    input.on('error', (error) => this.#endInput(error));
    input.on('close', () => this.#endInput(undefined));
    if (input.destroyed) this.#endInput(input.errored ?? undefined);
  }

  get unsentBytes(): number {
    return this.#output.writableLength;
  }

  send(message: OutgoingMessage): Promise<void> {
    if (this.#broken !== undefined) return Promise.reject(this.#broken);
    if (this.#closing !== undefined) return Promise.reject(peerEndedStream());
    if (this.#output.writableCorked === 0) {
      this.#output.cork();
      process.nextTick(() => this.#output.uncork());
    }
    if (typeof message !== 'string') for (const part of message) this.#output.write(part);
    if (this.#output.write(typeof message === 'string' ? `${message}\n` : '\n')) return Promise.resolve();
    return new Promise((accept, refuse) => {
      this.#blocked = { accept, refuse };
    });
  }

  pause(): void {
    this.#paused = true;
    this.#input.pause();
  }

  resume(): void {
    this.#paused = false;
    this.#input.resume();
    this.#deliver();
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#ended = true;
    this.#stopTimer?.();
    this.#chunks.length = 0;
    await this.#flushed();
    this.#input.destroy();
    if (this.#release === undefined) this.#output.end();
    else this.#release();
  }

  /** Until everything was handed to the system, or never can be. */
  #flushed(): Promise<void> {
    if (this.#broken !== undefined || this.#output.writableLength === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const done = () => {
        stopTimer();
        this.#output.off('close', done);
        resolve();
      };
      const stopTimer = startTimer(FLUSH_LIMIT_MS, done);
      this.#output.on('close', done);
      this.#output.write('', done);
    });
  }

  get #held(): boolean {
    return this.#paused && this.#inputOver === undefined;
  }

  #deliver(): void {
    if (this.#delivering) return;
    this.#delivering = true;
    try {
      // What is left at the end is little, and nobody waits for room any more.
      while (!this.#held && !this.#ended) {
        const [chunk] = this.#chunks;
        if (chunk === undefined) break;
        const { line, rest } = this.#framer.next(chunk);
        if (rest.length > 0) this.#chunks[0] = rest;
        else this.#chunks.shift();
        if (line !== undefined) this.#events?.message(line);
      }
      if (!this.#ended && this.#inputOver !== undefined) this.#reportEnd(this.#inputOver.error);
    } catch (fault) {
      this.#end(fault as CodemodeError);
    } finally {
      this.#delivering = false;
    }
  }

  #endInput(error: Error | undefined): void {
    if (this.#inputOver !== undefined) return;
    this.#inputOver = { error };
    this.#deliver();
  }

  #reportEnd(error: Error | undefined): void {
    const line = error === undefined ? this.#framer.end() : undefined;
    if (line !== undefined) this.#events?.message(line);
    this.#end(error === undefined ? undefined : streamBroke(error));
  }

  #end(reason: CodemodeError | undefined): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#stopTimer?.();
    this.#chunks.length = 0;
    this.#events?.end({ reason, writable: this.#broken === undefined && !this.#output.destroyed });
  }

  #break(reason: CodemodeError): void {
    if (this.#broken !== undefined) return;
    this.#broken = reason;
    this.#blocked?.refuse(reason);
    this.#blocked = undefined;
    // What the other side wrote before may still be on its way; its input usually ends by itself.
    if (!this.#ended) this.#stopTimer = startTimer(BREAK_GRACE_MS, () => this.#end(reason));
  }

  #unblock(): void {
    this.#blocked?.accept();
    this.#blocked = undefined;
  }
}
