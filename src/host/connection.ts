import type { Readable, Writable } from 'node:stream';
import { parseClientMessage } from '../protocol/client-message.js';
import { type Codec, hostJsonCodec } from '../protocol/codec.js';
import { FrameDecoder } from '../protocol/frame.js';
import { answerHello } from '../protocol/hello.js';
import type { ClientMessage, HostMessage } from '../protocol/message.js';
import { plainValue } from '../protocol/plain-value.js';
import { FrameOutput } from './frame-output.js';
import { secondHelloText, writeFailedText } from './messages.js';
import { Operations } from './operations.js';
import { RunnerPool } from './runner-pool.js';

/** How a connection ended; the process ends with it. */
export type Ending =
  | { readonly kind: 'end-of-input' }
  | { readonly kind: 'rejected' }
  | { readonly kind: 'failed'; readonly what: string; readonly cause: unknown };

/** The host's side of one conversation, from the hello to the end of input. */
export class HostConnection {
  readonly #decoder = new FrameDecoder();
  readonly #pool = new RunnerPool();
  readonly #output: FrameOutput;
  readonly #ended: (ending: Ending) => void;
  #codec: Codec = hostJsonCodec;
  #operations: Operations | undefined;
  /** Chunks that came while the msgpack codec was being loaded. */
  #held: Buffer[] | undefined;
  #over = false;

  constructor(input: Readable, output: Writable, ended: (ending: Ending) => void) {
    this.#ended = ended;
    this.#output = new FrameOutput(output, (congested) => this.#pool.pause(congested));
    output.on('error', (cause) => this.#fail(writeFailedText, cause));
    input.on('data', (chunk: Buffer) => this.#take(chunk));
    input.on('error', (cause) => this.#fail(this.#reading, cause));
    input.on('end', () => this.#endOfInput());
  }

  get #reading(): string {
    return `failed to read code-mode client ${this.#operations === undefined ? 'hello' : 'message'}`;
  }

  #take(chunk: Buffer): void {
    if (this.#held !== undefined) {
      this.#held.push(chunk);
      return;
    }
    try {
      let rest: Uint8Array = chunk;
      while (!this.#over && this.#held === undefined) {
        const step = this.#decoder.next(rest);
        if (step.body === undefined) return;
        rest = step.rest;
        this.#receive(parseClientMessage(this.#codec.decode(step.body)));
      }
      const held = this.#held as Buffer[] | undefined;
      if (rest.byteLength > 0) held?.push(Buffer.from(rest));
    } catch (cause) {
      this.#fail(this.#reading, cause);
    }
  }

  #receive(message: ClientMessage): void {
    if (this.#operations === undefined) {
      this.#greet(message);
      return;
    }
    switch (message.type) {
      case 'connection/hello':
        throw new Error(secondHelloText);
      case 'operation/request':
        return this.#operations.request(message.id, message.request);
      case 'operation/cancel':
        return this.#operations.cancel(message.id);
      case 'operation/yield':
        return this.#operations.yield(message.id);
      case 'delegate/response': {
        const { result } = message;
        const bytes = this.#codec.name === 'msgpack' && result.status === 'ok' && result.value.type === 'tool/result';
        return this.#operations.delegates.answer(
          message.id,
          bytes
            ? { status: 'ok', value: { type: 'tool/result', result: plainValue(result.value.result, 'base64') } }
            : result,
        );
      }
    }
  }

  #greet(message: ClientMessage): void {
    const answer = answerHello(message);
    this.#send(answer);
    if (answer.type === 'connection/rejected') {
      this.#over = true;
      this.#pool.close();
      this.#output.end(() => this.#ended({ kind: 'rejected' }));
      return;
    }
    this.#operations = new Operations({
      send: (reply) => this.#send(reply),
      encode: (reply) => this.#codec.encode(reply),
      sendBody: (body) => this.#output.send(body),
      codec: () => this.#codec.name,
      capabilities: new Set(answer.capabilities),
      pool: this.#pool,
    });
    if (answer.capabilities.includes('msgpack-frames-v1')) void this.#switchToMsgpack();
  }

  async #switchToMsgpack(): Promise<void> {
    this.#held = [];
    const { msgpackCodec } = await import('../protocol/msgpack-codec.js');
    this.#codec = msgpackCodec;
    const held = this.#held;
    this.#held = undefined;
    for (const chunk of held) this.#take(chunk);
  }

  #send(message: HostMessage): void {
    this.#output.send(this.#codec.encode(message));
  }

  #endOfInput(): void {
    if (this.#over) return;
    const partial = this.#decoder.partial();
    if (partial !== undefined) {
      this.#fail(this.#reading, new Error('early eof'));
      return;
    }
    this.#over = true;
    this.#pool.close();
    this.#ended({ kind: 'end-of-input' });
  }

  #fail(what: string, cause: unknown): void {
    if (this.#over) return;
    this.#over = true;
    this.#pool.close();
    this.#ended({ kind: 'failed', what, cause });
  }
}
