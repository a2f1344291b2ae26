import { constants } from 'node:buffer';
import type { OutgoingMessage } from '../wire/encoded-result.js';
import { MAX_QUEUED_MESSAGES } from '../wire/limits.js';
import type { ChannelEnd, ChannelEvents, MessageChannel } from './message-channel.js';
import { connectionLost, peerEndedStream } from './messages.js';

/** Of WebSockets; another code is no orderly end. */
const NORMAL = 1000;

/** Two channels in one process: what goes into one comes out of the other, in a later turn of the event loop. */
export function memoryChannels(): readonly [MessageChannel, MessageChannel] {
  const one = new MemoryChannel();
  const other = new MemoryChannel();
  one.peer = other;
  other.peer = one;
  return [one, other];
}

class MemoryChannel implements MessageChannel {
  readonly complaint = 'failed to parse JSON-RPC message from exec-server in-process channel';
  /** It becomes one string. */
  readonly maxSendBytes = constants.MAX_STRING_LENGTH;
  peer: MemoryChannel | undefined;
  #events: ChannelEvents | undefined;
  readonly #arrived: string[] = [];
  #senders: (() => void)[] = [];
  #paused = false;
  #turn: NodeJS.Immediate | undefined;
  #ended = false;
  #reason: ChannelEnd['reason'];
  #over = false;

  start(events: ChannelEvents): void {
    this.#events = events;
    this.#schedule();
  }

  send(message: OutgoingMessage): Promise<void> {
    const { peer } = this;
    if (peer === undefined || this.#over || this.#ended) return Promise.reject(peerEndedStream());
    return peer.#arrive(typeof message === 'string' ? message : Buffer.concat(message).toString());
  }

  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
    this.#schedule();
  }

  close(code: number = NORMAL, reason = ''): Promise<void> {
    if (!this.#over) {
      this.#over = true;
      this.#arrived.length = 0;
      this.#release();
      if (this.peer !== undefined) this.peer.#end(code === NORMAL ? undefined : connectionLost(reason));
    }
    return Promise.resolve();
  }

  #arrive(text: string): Promise<void> {
    this.#arrived.push(text);
    this.#schedule();
    if (this.#arrived.length < MAX_QUEUED_MESSAGES) return Promise.resolve();
    return new Promise((resolve) => this.#senders.push(resolve));
  }

  #end(reason: ChannelEnd['reason']): void {
    this.#ended = true;
    this.#reason = reason;
    this.#schedule();
  }

  #schedule(): void {
    if (this.#turn !== undefined || this.#events === undefined) return;
    this.#turn = setImmediate(() => {
      this.#turn = undefined;
      this.#deliver();
    });
  }

  #deliver(): void {
    // What is left at the end is little, and nobody waits for room any more.
    while ((!this.#paused || this.#ended) && !this.#over) {
      const text = this.#arrived.shift();
      if (text === undefined) break;
      this.#events?.message(text);
    }
    if (this.#arrived.length < MAX_QUEUED_MESSAGES) this.#release();
    if (this.#over || !this.#ended || this.#arrived.length > 0) return;
    this.#over = true;
    this.#events?.end({ reason: this.#reason, writable: false });
  }

  #release(): void {
    const senders = this.#senders;
    this.#senders = [];
    for (const resolve of senders) resolve();
  }
}
