import type { IncomingMessage } from 'node:http';
import { startTimer } from '../waiting/timer.js';
import { shownUrl } from './http-fault.js';
import { httpTexts } from './messages.js';
import { ServerFault } from './server-fault.js';

/** What is read of a body that nobody wants, so that its connection serves again. A longer or slower one costs the connection. */
const unwantedBytes = 64 * 2 ** 10;
const unwantedMs = 1_000;

/** The body of a response that comes in. It holds its connection until it was read, or left. */
export class IncomingBody {
  readonly #message: IncomingMessage;
  readonly #url: URL;
  #begun = false;

  constructor(message: IncomingMessage, url: URL) {
    this.#message = message;
    this.#url = url;
  }

  /** Fails when it is read, not before: of many a response only the status counts. */
  async *chunks(): AsyncGenerator<Buffer, undefined> {
    this.#begun = true;
    const encoding = this.#message.headers['content-encoding']?.trim().toLowerCase() ?? '';
    if (encoding !== '' && encoding !== 'identity') {
      const address = shownUrl(this.#url);
      throw new ServerFault(httpTexts.encoded(address, encoding), { data: { url: address } });
    }
    yield* this.#message.iterator() as AsyncIterableIterator<Buffer>;
    return undefined;
  }

  /** Nobody wants the rest of it. */
  leave(): void {
    const message = this.#message;
    if (this.#begun || message.destroyed) {
      message.destroy();
      return;
    }
    this.#begun = true;
    let bytes = 0;
    const stopTimer = startTimer(unwantedMs, () => message.destroy());
    message.once('close', stopTimer);
    message.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > unwantedBytes) message.destroy();
    });
  }
}
