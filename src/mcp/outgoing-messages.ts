import type { Writable } from 'node:stream';
import type { RpcMessage } from './channel.js';
import { unreadInputText } from './messages.js';
import { ServerFault } from './server-fault.js';
import { isRecord } from './value.js';

interface Waiting {
  readonly line: string;
  readonly bytes: number;
  /** The id of a request. */
  readonly request: number | undefined;
  /** The id of the request that is given up with it. */
  readonly givesUp: number | undefined;
  readonly settle: (error?: Error | null) => void;
}

/**
 * Messages on their way into a stream, one a line. What a slow reader has not come to yet waits here and not in the
 * stream, which keeps all that it has got: a request that is over before its turn then costs nothing any more.
 */
export class OutgoingMessages {
  readonly #stream: Writable;
  readonly #limitBytes: number;
  readonly #waiting = new Set<Waiting>();
  #bytes = 0;

  constructor(stream: Writable, limitBytes: number) {
    this.#stream = stream;
    this.#limitBytes = limitBytes;
    stream.on('drain', () => this.#write());
    stream.once('close', () => this.#drop([...this.#waiting]));
  }

  /**
   * Resolves when the system has the message, or when it need not be sent any more, and rejects with what the stream says.
   * Throws a `ServerFault` when more than the limit would wait; one message alone may be longer.
   */
  add(message: RpcMessage): Promise<void> {
    const line = `${JSON.stringify(message)}\n`;
    const bytes = Buffer.byteLength(line);
    if (this.#bytes > 0 && this.#bytes + bytes > this.#limitBytes) {
      throw new ServerFault(unreadInputText(this.#limitBytes));
    }
    return new Promise((resolve, reject) => {
      const settle: Waiting['settle'] = (error) => (error === null || error === undefined ? resolve() : reject(error));
      this.#waiting.add({ line, bytes, settle, ...idsOf(message) });
      this.#bytes += bytes;
      this.#write();
    });
  }

  /** A request is over. If it still waits, so does the word that it was given up, and nobody has to hear either. */
  forget(id: number): void {
    const all = [...this.#waiting];
    if (!all.some(({ request }) => request === id)) return;
    this.#drop(all.filter(({ request, givesUp }) => request === id || givesUp === id));
  }

  /** Nothing is sent any more but what the stream has got. */
  end(): void {
    this.#drop([...this.#waiting]);
    this.#stream.end();
  }

  #write(): void {
    for (const waiting of this.#waiting) {
      if (this.#stream.writableNeedDrain) return;
      this.#remove(waiting);
      this.#stream.write(waiting.line, waiting.settle);
    }
  }

  #drop(all: readonly Waiting[]): void {
    for (const waiting of all) {
      this.#remove(waiting);
      waiting.settle();
    }
  }

  #remove(waiting: Waiting): void {
    this.#waiting.delete(waiting);
    this.#bytes -= waiting.bytes;
  }
}

function idsOf({ id, method, params }: RpcMessage): Pick<Waiting, 'request' | 'givesUp'> {
  const request = typeof method === 'string' && typeof id === 'number' ? id : undefined;
  const about = method === 'notifications/cancelled' && isRecord(params) ? params.requestId : undefined;
  return { request, givesUp: typeof about === 'number' ? about : undefined };
}
