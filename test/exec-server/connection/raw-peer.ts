import assert from 'node:assert/strict';
import type { ChannelEnd, MessageChannel } from '../../../src/exec-server/connection/index.js';

/** The other side of a channel, which says what the test wants and nothing else. */
export class RawPeer {
  readonly channel: MessageChannel;
  /** Settles with the end of the channel. */
  readonly ended: Promise<ChannelEnd>;
  readonly #messages: string[] = [];
  #over = false;
  #wake: () => void = () => {};

  constructor(channel: MessageChannel) {
    this.channel = channel;
    this.ended = new Promise((resolve) => {
      channel.start({
        message: (text) => {
          this.#messages.push(text);
          this.#wake();
        },
        end: (end) => {
          this.#over = true;
          this.#wake();
          resolve(end);
        },
      });
    });
  }

  /** Messages that came and were not asked for yet. */
  get waiting(): number {
    return this.#messages.length;
  }

  async say(message: string | object): Promise<void> {
    await this.channel.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  async next(): Promise<Record<string, unknown>> {
    return JSON.parse(await this.nextText()) as Record<string, unknown>;
  }

  async nextText(): Promise<string> {
    while (this.#messages.length === 0) {
      assert.ok(!this.#over, 'the channel ended instead');
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return this.#messages.shift() ?? '';
  }
}

/** A promise and how it is settled, for events that a test waits for. */
export function deferred<T = void>(): { promise: Promise<T>; resolve: (value: T) => void; reject: (e: Error) => void } {
  let resolve: (value: T) => void = () => {};
  let reject: (error: Error) => void = () => {};
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}

/** Enough turns of the event loop for whatever is under way in this process. */
export async function turns(count = 20): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
}
