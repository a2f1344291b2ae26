import { AsyncLocalStorage } from 'node:async_hooks';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { within } from '../waiting/within.js';
import type { Channel, ChannelEvents, ChannelFacts, RpcMessage } from './channel.js';
import { Course, mostFruitless } from './course.js';
import { httpFault, shownUrl } from './http-fault.js';
import { HttpFetch, isEventStream } from './http-fetch.js';
import {
  fruitlessText,
  noOwnStreamText,
  noStreamText,
  notListeningText,
  otherAnswerText,
  strayExcerpt,
  streamEndedText,
} from './messages.js';
import type { StreamEnd } from './response-body.js';
import type { HttpServerConfig } from './server-config.js';
import { ServerFault } from './server-fault.js';
import { takeMessage } from './take-message.js';

/** How long the server has to take leave of a session. */
const leaveMs = 1_000;

/** How often a stream is asked for, one time after the other, when the server refuses it or cannot be reached. */
const mostTries = 2;

/**
 * For the transport, which takes up no stream by itself: it has one timer for all streams, so that it could not let go of
 * the others, and it would wait as long as the server likes.
 */
const noReconnection = {
  maxRetries: 0,
  initialReconnectionDelay: 0,
  maxReconnectionDelay: 0,
  reconnectionDelayGrowFactor: 1,
};

/** On this the transport stops to ask for a stream, without a word and for good. */
const noStream = (): Response => new Response(null, { status: 405 });

/** Streamable HTTP. Loaded late: the package behind it takes 20 ms, which a run without such a server does not pay. */
export class HttpChannel implements Channel {
  readonly #transport: StreamableHTTPClientTransport;
  readonly #events: ChannelEvents;
  readonly #url: URL;
  readonly #http = new HttpFetch();
  /** That in which a fetch is made, or a message comes. */
  readonly #course = new AsyncLocalStorage<Course>();
  /** Of the requests without an answer yet. */
  readonly #open = new Map<number, Course>();
  readonly #own = new Course(undefined);
  /** To what the server tells of its own accord. */
  #listened = false;
  #closing = false;

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
      reconnectionOptions: noReconnection,
    });
    this.#transport.onmessage = (message) => {
      if (this.#closing) return;
      const course = this.#course.getStore() ?? this.#own;
      course.fruitful();
      if ('result' in message && Number(message.id) !== course.id) course.misled = true;
      if (!('method' in message)) this.#answered(Number(message.id), course);
      if (!takeMessage(events, message) && 'method' in message) events.stray(strayExcerpt(message.method));
    };
    this.#transport.onerror = (error) => this.#failed(error);
  }

  async send(message: RpcMessage): Promise<void> {
    const id = typeof message.method === 'string' && typeof message.id === 'number' ? message.id : undefined;
    const course = id === undefined ? this.#own : new Course(id);
    if (id !== undefined) this.#open.set(id, course);
    // The shape is the transport's own; it looks at nothing but `method` and `id`.
    const outgoing = message as Parameters<StreamableHTTPClientTransport['send']>[0];
    try {
      await this.#course.run(course, () => this.#transport.send(outgoing, notingIds(course)));
    } catch (error) {
      if (id !== undefined) this.#end(course);
      throw httpFault(error, this.#url, this.#transport.sessionId !== undefined);
    }
    if (id !== undefined && !course.streamed) this.#lost(course, new ServerFault(otherAnswerText));
  }

  forget(id: number): void {
    const course = this.#open.get(id);
    if (course !== undefined) this.#end(course);
  }

  agreed(version: string): void {
    this.#transport.setProtocolVersion(version);
  }

  giveUp(reason: string): void {
    if (this.#closing) return;
    void this.close();
    this.#events.ended(new ServerFault(reason, { data: this.facts().data }));
  }

  async close(): Promise<void> {
    this.#closing = true;
    const leaving = this.#transport.terminateSession().catch(() => {});
    await within(leaving, leaveMs, undefined);
    await this.#transport.close().catch(() => {});
    for (const course of [...this.#open.values(), this.#own]) course.giveUp();
    this.#http.close();
  }

  facts(): ChannelFacts {
    return { text: '', data: { url: shownUrl(this.#url) } };
  }

  async #fetch(target: string | URL, init: RequestInit = {}): Promise<Response> {
    const course = this.#course.getStore() ?? this.#own;
    const listens = init.method === 'GET';
    if (listens && !course.listening) {
      // The transport begins to listen, and would tell us no ids of events.
      void this.#listen(course, 1);
      return noStream();
    }
    const onStreamEnd = (end: StreamEnd): void => this.#streamEnded(course, end);
    const response = await this.#http.fetch(target, init, { signal: course.signal, onStreamEnd });
    const streams = response.ok && isEventStream(response.headers);
    if (!listens) course.streamed = streams;
    else if (streams && course.id === undefined) this.#listened = true;
    if (!listens || streams || (!response.ok && response.status !== 405)) return response;
    // The transport would wait for events of it, or for nothing at all.
    await response.body?.cancel();
    this.#lost(course, new ServerFault(course.id === undefined ? noOwnStreamText : noStreamText));
    return noStream();
  }

  /** Opens the stream of a course, or takes it up again. Settles when that is open, or given up. Never rejects. */
  async #listen(course: Course, tries: number): Promise<void> {
    course.listening = true;
    let cause: unknown;
    for (let tried = 0; tried < tries; tried += 1) {
      await course.turn();
      if (course.over || this.#closing) return;
      // Without an id, it is the beginning of a stream.
      const open = () => this.#transport.resumeStream(course.lastEventId ?? '', notingIds(course));
      try {
        return await this.#course.run(course, open);
      } catch (error) {
        course.ended();
        cause = error;
      }
    }
    if (course.id !== undefined) return this.#lost(course, new ServerFault(streamEndedText, { cause }));
    this.#lost(course, httpFault(cause, this.#url, this.#transport.sessionId !== undefined));
  }

  #streamEnded(course: Course, { fault, retryMs }: StreamEnd): void {
    course.ended(retryMs);
    if (course.over || this.#closing) return;
    const again = course.id === undefined || (course.lastEventId !== undefined && !course.misled);
    if (fault === undefined && again && !course.exhausted) return void this.#listen(course, mostTries);
    const why = course.id === undefined ? fruitlessText(mostFruitless) : streamEndedText;
    this.#lost(course, fault ?? new ServerFault(why));
  }

  #lost(course: Course, fault: ServerFault): void {
    const { id } = course;
    const waiting = id !== undefined && this.#open.has(id);
    // A server need not have such a stream; one that was there is missed.
    const missed = id === undefined && this.#listened && !course.over && !this.#closing;
    this.#end(course);
    if (missed) this.#events.warn(notListeningText(fault.message));
    if (waiting) this.#events.lost(id, fault);
  }

  /** `on` is the course on which the answer came. */
  #answered(id: number, on: Course): void {
    if (id !== on.id) return this.forget(id);
    this.#open.delete(id);
    on.answered();
  }

  #end(course: Course): void {
    course.over = true;
    // The one without an id has the notifications too, which go on.
    if (course.id === undefined) return;
    this.#open.delete(course.id);
    course.giveUp();
  }

  /** Of the errors of sending, the sender is told, and of those of listening `#listen`; what is left is what came in. */
  #failed(error: Error): void {
    if (error instanceof SyntaxError || error.name === 'ZodError') this.#events.stray(strayExcerpt(error.message));
  }
}

const notingIds = (course: Course) => ({
  onresumptiontoken: (id: string): void => {
    course.lastEventId = id;
  },
});
