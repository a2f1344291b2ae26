import type { IncomingMessage } from 'node:http';
import { WebSocket } from 'ws';
import type { CodemodeError } from '../../errors.js';
import { onAbort } from '../../waiting/on-abort.js';
import { startTimer } from '../../waiting/timer.js';
import type { MessageChannel } from '../connection/message-channel.js';
import { textOf } from '../connection/messages.js';
import { WebSocketChannel } from '../connection/websocket-channel.js';
import { MAX_ANSWER_BYTES } from '../wire/limits.js';
import type { Dialer } from './dialer.js';
import {
  badToken,
  connectCancelled,
  connectFailed,
  connectTimedOut,
  fragmentInUrl,
  notAWebSocketUrl,
} from './messages.js';

/** What a header can carry, and a server takes for one word. */
const TOKEN = /^[\x21-\x7e]+$/;
const MAX_BODY_CHARACTERS = 200;

export interface WebSocketTarget {
  readonly url: string;
  readonly connectTimeoutMs: number;
  readonly token?: string | undefined;
  readonly pingIntervalMs?: number | undefined;
}

/** Throws `invalid-argument` for what is no `ws:` or `wss:` URL, and for a token that no header can carry. */
export function webSocketDialer(given: WebSocketTarget): Dialer {
  const url = shownUrl(given.url);
  // White space around it is what files and shells leave there; the server drops it as well.
  const target = { ...given, token: given.token?.trim() };
  if (target.token !== undefined && !TOKEN.test(target.token)) throw badToken(url);
  return { resumable: true, dial: (signal) => dial(target, url, signal) };
}

/** Without what may be secret. */
function shownUrl(text: string): string {
  if (!URL.canParse(text)) throw notAWebSocketUrl(text);
  const url = new URL(text);
  if (url.protocol !== 'ws:' && url.protocol !== 'wss:') throw notAWebSocketUrl(`${url.protocol}//${url.host}`);
  if (text.includes('#')) throw fragmentInUrl(`${url.protocol}//${url.host}`);
  return `${url.protocol}//${url.host}${url.pathname === '/' ? '' : url.pathname}`;
}

function dial(target: WebSocketTarget, url: string, signal: AbortSignal | undefined): Promise<MessageChannel> {
  if (signal?.aborted === true) return Promise.reject(connectCancelled(signal.reason));
  const headers = target.token === undefined ? {} : { authorization: `Bearer ${target.token}` };
  const options = { headers, perMessageDeflate: false, followRedirects: false, maxPayload: MAX_ANSWER_BYTES };
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(target.url, options);
    const settle = () => {
      stopTimer();
      stopListening();
    };
    const fail = (reason: CodemodeError) => {
      settle();
      reject(reason);
      socket.terminate();
    };
    socket.on('error', (error) => fail(connectFailed(url, textOf(error), error)));
    socket.on('unexpected-response', (request, response) => {
      readRefusal(response, (detail) => {
        fail(connectFailed(url, detail, undefined, { status: response.statusCode }));
        request.destroy();
      });
    });
    socket.once('open', () => {
      settle();
      resolve(new WebSocketChannel(socket, { peer: new URL(target.url).host, pingIntervalMs: target.pingIntervalMs }));
    });
    const stopTimer = startTimer(target.connectTimeoutMs, () => fail(connectTimedOut(url, target.connectTimeoutMs)));
    const stopListening = onAbort(signal, () => fail(connectCancelled(signal?.reason)));
  });
}

/** The status, and the first words of the body. */
function readRefusal(response: IncomingMessage, done: (detail: string) => void): void {
  let body = '';
  const finish = () => done(`HTTP ${response.statusCode}${body.trim() === '' ? '' : ` (${body.trim()})`}`);
  response.setEncoding('utf8');
  response.on('data', (text: string) => {
    body = `${body}${text}`.slice(0, MAX_BODY_CHARACTERS);
  });
  response.once('close', finish);
}
