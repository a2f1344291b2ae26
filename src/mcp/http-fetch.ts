import { type IncomingMessage, Agent as PlainAgent, request as plainRequest } from 'node:http';
import { Agent as SecureAgent, request as secureRequest } from 'node:https';
import { responseBody } from './response-body.js';

/** Statuses whose responses have no body, and may not be given one. */
const bodiless: readonly number[] = [204, 205, 304];

/**
 * Of the sockets only those that are idle are ended by it: earlier than servers do (Node's after 5 s), so that no call is
 * sent into one that is just being closed.
 */
const keeping = { keepAlive: true, timeout: 2_000 };

/**
 * As much of `fetch` as the transport needs. Node's own gives up a response that is silent for five minutes, which is not
 * to be changed from outside; here a call takes as long as its cell may. Redirects are not followed.
 */
export class HttpFetch {
  readonly #agents = { 'http:': new PlainAgent(keeping), 'https:': new SecureAgent(keeping) };

  /** `onStreamEnd` is told of the end of a stream of events. */
  async fetch(
    target: string | URL,
    init: RequestInit,
    onStreamEnd: (end: { readonly resumable: boolean }) => void,
  ): Promise<Response> {
    const message = await this.#send(new URL(target), init);
    const { statusCode: status = 0, statusMessage: statusText = '' } = message;
    const headers = new Headers();
    for (const [name, values] of Object.entries(message.headersDistinct)) {
      for (const value of values ?? []) headers.append(name, value);
    }
    const stream = headers.get('content-type')?.toLowerCase().startsWith('text/event-stream') === true;
    const onEnd = (end: { readonly resumable: boolean }): void => (stream ? onStreamEnd(end) : undefined);
    if (bodiless.includes(status)) message.resume();
    const body = bodiless.includes(status) ? null : responseBody(message.iterator(), { stream, onEnd });
    return new Response(body, { status, statusText, headers });
  }

  /** Ends what is still open. */
  close(): void {
    for (const agent of Object.values(this.#agents)) agent.destroy();
  }

  #send(url: URL, { method = 'GET', headers, body, signal }: RequestInit): Promise<IncomingMessage> {
    const secure = url.protocol === 'https:';
    const options = {
      method,
      agent: this.#agents[secure ? 'https:' : 'http:'],
      headers: { 'user-agent': 'codemode-run', ...Object.fromEntries(new Headers(headers)) },
      ...(signal === null || signal === undefined ? {} : { signal }),
    };
    return new Promise((resolve, reject) => {
      const request = (secure ? secureRequest : plainRequest)(url, options, resolve);
      // Stays, for what goes wrong after the response has begun: its reader is told of that too.
      request.on('error', reject);
      request.end(typeof body === 'string' ? body : undefined);
    });
  }
}
