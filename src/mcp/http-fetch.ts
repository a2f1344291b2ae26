import { type IncomingMessage, Agent as PlainAgent, request as plainRequest } from 'node:http';
import { Agent as SecureAgent, request as secureRequest } from 'node:https';
import { onAbort } from '../waiting/on-abort.js';
import { shownUrl } from './http-fault.js';
import { IncomingBody } from './incoming-body.js';
import { httpTexts } from './messages.js';
import { responseBody, type StreamEnd } from './response-body.js';
import { ServerFault } from './server-fault.js';

/** Statuses whose responses have no body, and may not be given one. */
const bodiless: readonly number[] = [204, 205, 304];

/**
 * Of the sockets only those that are idle are ended by it: earlier than servers do (Node's after 5 s), so that no call is
 * sent into one that is just being closed.
 */
const keeping = { keepAlive: true, timeout: 2_000 };

export interface FetchOptions {
  /** Ends the request, however far it has come, and nothing but the request. */
  readonly signal: AbortSignal;
  /** Is told of the end of a stream of events that came with a status of success. */
  readonly onStreamEnd: (end: StreamEnd) => void;
}

/**
 * As much of `fetch` as the transport needs. Node's own gives up a response that is silent for five minutes, which is not
 * to be changed from outside; here a call takes as long as its cell may. Redirects are not followed.
 */
export class HttpFetch {
  readonly #agents = { 'http:': new PlainAgent(keeping), 'https:': new SecureAgent(keeping) };

  /** The signal of `init` only keeps a request from being begun. Rejects with a `ServerFault` for a status that HTTP does not know. */
  async fetch(target: string | URL, init: RequestInit, { signal, onStreamEnd }: FetchOptions): Promise<Response> {
    init.signal?.throwIfAborted();
    signal.throwIfAborted();
    const url = new URL(target);
    const message = await this.#send(url, init, signal);
    const { statusCode: status = 0, statusMessage: statusText = '' } = message;
    if (status < 200 || status > 599) {
      message.destroy();
      const address = shownUrl(url);
      throw new ServerFault(httpTexts.status(address, status, statusText), { data: { url: address, status } });
    }
    const headers = new Headers();
    for (const [name, values] of Object.entries(message.headersDistinct)) {
      for (const value of values ?? []) headers.append(name, value);
    }
    const stream = status < 300 && isEventStream(headers);
    const onEnd = (end: StreamEnd): void => (stream ? onStreamEnd(end) : undefined);
    if (bodiless.includes(status)) message.resume();
    const body = bodiless.includes(status) ? null : responseBody(new IncomingBody(message, url), { stream, onEnd });
    return new Response(body, { status, statusText, headers });
  }

  /** Ends what is still open. */
  close(): void {
    for (const agent of Object.values(this.#agents)) agent.destroy();
  }

  #send(url: URL, { method = 'GET', headers, body }: RequestInit, signal: AbortSignal): Promise<IncomingMessage> {
    const secure = url.protocol === 'https:';
    const options = {
      method,
      agent: this.#agents[secure ? 'https:' : 'http:'],
      // Without a word about encodings, any of them would be welcome.
      headers: {
        'user-agent': 'codemode-run',
        'accept-encoding': 'identity',
        ...Object.fromEntries(new Headers(headers)),
      },
    };
    return new Promise((resolve, reject) => {
      const request = (secure ? secureRequest : plainRequest)(url, options, resolve);
      request.once(
        'close',
        onAbort(signal, () => void request.destroy()),
      );
      // A status of 101 takes the connection away from HTTP. Nobody has asked for that.
      request.on('upgrade', (message, socket) => {
        socket.destroy();
        resolve(message);
      });
      // Stays, for what goes wrong after the response has begun: its reader is told of that too.
      request.on('error', reject);
      request.end(typeof body === 'string' ? body : undefined);
    });
  }
}

export const isEventStream = (headers: Headers): boolean =>
  headers.get('content-type')?.toLowerCase().startsWith('text/event-stream') === true;
