import { AsyncLocalStorage } from 'node:async_hooks';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Channel, ChannelEvents, ChannelFacts, RpcMessage } from './channel.js';
import { httpFault } from './http-fault.js';
import { HttpFetch } from './http-fetch.js';
import { strayExcerpt, streamEndedText } from './messages.js';
import type { HttpServerConfig } from './server-config.js';
import { ServerFault } from './server-fault.js';
import { within } from './within.js';

/** How long the server has to take leave of a session. */
const leaveMs = 1_000;

/** Streamable HTTP. Loaded late: the package behind it takes 20 ms, which a run without such a server does not pay. */
export class HttpChannel implements Channel {
  readonly #transport: StreamableHTTPClientTransport;
  readonly #events: ChannelEvents;
  readonly #url: URL;
  readonly #http = new HttpFetch();
  /** The request in whose course a fetch is made. */
  readonly #course = new AsyncLocalStorage<number>();
  /** Requests without an answer yet, and those of them whose stream has ended and is being taken up again. */
  readonly #open = new Set<number>();
  readonly #resuming = new Set<number>();

  static async open(config: HttpServerConfig, events: ChannelEvents): Promise<HttpChannel> {
    const channel = new HttpChannel(config, events);
    await channel.#transport.start();
    return channel;
  }

  private constructor({ url, headers }: HttpServerConfig, events: ChannelEvents) {
    this.#url = new URL(url);
    this.#events = events;
    this.#transport = new StreamableHTTPClientTransport(this.#url, {
      requestInit: { headers: { ...headers } },
      fetch: (target, init) => this.#fetch(target, init),
    });
    this.#transport.onmessage = (message) => {
      if (!('method' in message)) this.#answered(Number(message.id));
      events.message(message);
    };
    this.#transport.onerror = (error) => this.#failed(error);
  }

  async send(message: RpcMessage): Promise<void> {
    const id = typeof message.method === 'string' && typeof message.id === 'number' ? message.id : undefined;
    // The shape is the transport's own; it looks at nothing but `method` and `id`.
    const outgoing = message as Parameters<StreamableHTTPClientTransport['send']>[0];
    if (id !== undefined) this.#open.add(id);
    try {
      await this.#course.run(id ?? 0, () => this.#transport.send(outgoing));
    } catch (error) {
      if (id !== undefined) this.#answered(id);
      throw httpFault(error, this.#url, this.#transport.sessionId !== undefined);
    }
  }

  agreed(version: string): void {
    this.#transport.setProtocolVersion(version);
  }

  async close(): Promise<void> {
    const leaving = this.#transport.terminateSession().catch(() => {});
    await within(leaving, leaveMs, undefined);
    await this.#transport.close().catch(() => {});
    this.#http.close();
  }

  facts(): ChannelFacts {
    return { text: '', data: { url: `${this.#url.origin}${this.#url.pathname}` } };
  }

  async #fetch(target: string | URL, init: RequestInit = {}): Promise<Response> {
    const id = this.#course.getStore() ?? 0;
    return await this.#http.fetch(target, init, ({ resumable }) => {
      if (!this.#open.has(id)) return;
      if (resumable) this.#resuming.add(id);
      else this.#lost(id);
    });
  }

  #answered(id: number): void {
    this.#open.delete(id);
    this.#resuming.delete(id);
  }

  #lost(id: number, cause?: Error): void {
    this.#answered(id);
    this.#events.lost(id, new ServerFault(streamEndedText, { cause }));
  }

  /** Of the errors of sending, the sender is told; what is left is what came in, or did not. */
  #failed(error: Error): void {
    if (error instanceof SyntaxError || error.name === 'ZodError') this.#events.stray(strayExcerpt(error.message));
    if (!error.message.startsWith('Maximum reconnection attempts')) return;
    for (const id of this.#resuming) this.#lost(id, error);
  }
}
