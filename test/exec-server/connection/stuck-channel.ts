import type { ChannelEvents, MessageChannel } from '../../../src/exec-server/connection/index.js';
import type { OutgoingMessage } from '../../../src/exec-server/wire/index.js';
import { turns } from './raw-peer.js';

/** A transport that takes one message and then nothing more, until the test lets it. */
export class StuckChannel implements MessageChannel {
  readonly complaint = 'failed to parse';
  readonly sent: string[] = [];
  paused = false;
  #events: ChannelEvents | undefined;
  #accept: () => void = () => {};

  start(events: ChannelEvents): void {
    this.#events = events;
  }

  hear(text: string): void {
    this.#events?.message(text);
  }

  send(message: OutgoingMessage): Promise<void> {
    this.sent.push(typeof message === 'string' ? message : Buffer.concat(message).toString());
    return new Promise((resolve) => {
      this.#accept = resolve;
    });
  }

  take(): void {
    this.#accept();
  }

  /** Takes everything that waits. */
  async drain(): Promise<void> {
    for (let before = -1; before !== this.sent.length; ) {
      before = this.sent.length;
      this.#accept();
      await turns(3);
    }
  }

  pause(): void {
    this.paused = true;
  }

  resume(): void {
    this.paused = false;
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
