import type { CodemodeError } from '../errors.js';
import { type Codec, type FrameDecoder, type HostMessage, parseHostMessage } from '../protocol/index.js';
import type { Inlet, InletConsumer } from './inlet.js';
import { closedStdout, readFailed, unreadableMessage } from './messages.js';

/** Frames handled before the writer and everybody else get a turn; a chunk may hold thousands. */
const FRAMES_PER_TURN = 64;

export interface ReaderEvents {
  message(message: HostMessage): void;
  /** The bytes cannot be understood; nothing is read after this. */
  fault(error: CodemodeError): void;
  /** The output ended, and every complete frame of it was handed over. */
  end(symptom: CodemodeError): void;
}

/** Bytes in, messages out, in order and synchronously. */
export class Reader implements InletConsumer {
  readonly #inlet: Inlet;
  readonly #decoder: FrameDecoder;
  readonly #codec: Codec;
  readonly #events: ReaderEvents;
  readonly #queue: Uint8Array[] = [];
  #end: { error: Error | undefined } | undefined;
  #turn: NodeJS.Immediate | undefined;
  #stopped = false;

  constructor(inlet: Inlet, decoder: FrameDecoder, codec: Codec, events: ReaderEvents) {
    this.#inlet = inlet;
    this.#decoder = decoder;
    this.#codec = codec;
    this.#events = events;
  }

  start(): void {
    this.#inlet.attach(this);
  }

  stop(): void {
    this.#stopped = true;
    clearImmediate(this.#turn);
    this.#queue.length = 0;
  }

  /** Hands over every complete frame that is here, without taking turns. */
  finish(): void {
    clearImmediate(this.#turn);
    this.#turn = undefined;
    this.#run(Number.POSITIVE_INFINITY);
  }

  chunk(bytes: Uint8Array): void {
    if (this.#stopped) return;
    this.#queue.push(bytes);
    if (this.#turn === undefined) this.#run(FRAMES_PER_TURN);
  }

  end(error: Error | undefined): void {
    this.#end = { error };
    if (this.#turn === undefined) this.#run(FRAMES_PER_TURN);
  }

  #run(budget: number): void {
    for (let left = budget; !this.#stopped; left--) {
      const chunk = this.#queue[0];
      if (chunk === undefined) break;
      if (left === 0) {
        this.#yieldTurn();
        return;
      }
      this.#step(chunk);
    }
    if (!this.#stopped && this.#end !== undefined) this.#reportEnd(this.#end.error);
  }

  #step(chunk: Uint8Array): void {
    let message: HostMessage | undefined;
    try {
      const { body, rest } = this.#decoder.next(chunk);
      if (rest.byteLength > 0) this.#queue[0] = rest;
      else this.#queue.shift();
      if (body !== undefined) message = parseHostMessage(this.#codec.decode(body));
    } catch (error) {
      this.stop();
      this.#events.fault(unreadableMessage(error));
      return;
    }
    if (message !== undefined) this.#events.message(message);
  }

  #yieldTurn(): void {
    this.#inlet.pause();
    this.#turn = setImmediate(() => {
      this.#turn = undefined;
      if (this.#end === undefined) this.#inlet.resume();
      this.#run(FRAMES_PER_TURN);
    });
  }

  #reportEnd(error: Error | undefined): void {
    this.stop();
    if (error !== undefined) {
      this.#events.end(readFailed(error));
      return;
    }
    try {
      this.#decoder.end();
    } catch (fault) {
      this.#events.end(unreadableMessage(fault));
      return;
    }
    this.#events.end(closedStdout());
  }
}
