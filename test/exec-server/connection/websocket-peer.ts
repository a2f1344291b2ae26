import { once } from 'node:events';
import { type Agent, type IncomingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';
import type { TestContext } from 'node:test';
import { WebSocket } from 'ws';
import {
  type ListenOptions,
  listenWebSocket,
  type WebSocketListener,
} from '../../../src/exec-server/connection/index.js';
import { type Answer, Served } from './served.js';

export interface Front {
  readonly listener: WebSocketListener;
  /** One for each connection, in their order. */
  readonly served: Served[];
}

/** A WebSocket server on a free port of this machine, gone when the test ends. */
export async function startFront(
  test: TestContext,
  methods: { readonly [name: string]: Answer } = {},
  options: Partial<ListenOptions> = {},
): Promise<Front> {
  const served: Served[] = [];
  const listener = await listenWebSocket({
    host: '127.0.0.1',
    port: 0,
    auth: { mode: 'none' },
    onConnection: (channel) => served.push(new Served(channel, methods)),
    ...options,
  });
  test.after(async () => {
    await Promise.all(served.map((one) => one.connection.close()));
    await listener.close();
  });
  return { listener, served };
}

/** An open WebSocket of the test's own, with everything that it heard. */
export class WebSocketPeer {
  readonly socket: WebSocket;
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
  readonly kinds: ('text' | 'binary')[] = [];
  readonly #messages: string[] = [];
  #wake: () => void = () => {};

  private constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on('error', () => {});
    socket.on('message', (data, binary) => {
      this.kinds.push(binary ? 'binary' : 'text');
      this.#messages.push(String(data));
      this.#wake();
    });
    this.closed = new Promise((resolve) => {
      socket.on('close', (code, reason) => resolve({ code, reason: String(reason) }));
    });
    void this.closed.then(() => this.#wake());
  }

  static async open(test: TestContext, url: string, options: object = {}): Promise<WebSocketPeer> {
    const socket = new WebSocket(url, { perMessageDeflate: false, ...options });
    const peer = new WebSocketPeer(socket);
    test.after(() => socket.terminate());
    await once(socket, 'open');
    return peer;
  }

  say(message: string | object): void {
    this.socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  async next(): Promise<Record<string, unknown>> {
    while (this.#messages.length === 0) {
      if (this.socket.readyState === this.socket.CLOSED) throw new Error('the socket was closed instead');
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return JSON.parse(this.#messages.shift() ?? '') as Record<string, unknown>;
  }
}

export interface HttpAnswer {
  readonly status: number | undefined;
  readonly body: string;
  readonly headers: IncomingHttpHeaders;
}

export const upgradeHeaders = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
};

/** One HTTP request; an upgrade counts as the answer 101. */
export function ask(
  { port }: WebSocketListener,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  method = 'GET',
  agent: Agent | false = false,
): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, path, method, headers, agent });
    asked.on('upgrade', (response, socket) => {
      socket.destroy();
      resolve({ status: response.statusCode, body: '', headers: response.headers });
    });
    asked.on('response', (response) => {
      let body = '';
      response.on('data', (chunk) => {
        body += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode, body, headers: response.headers }));
    });
    asked.on('error', reject);
    asked.end();
  });
}

/** Sends these bytes behind an upgrade and waits until the server hangs up. */
export async function hangUpAfter(test: TestContext, { port }: WebSocketListener, bytes: Uint8Array): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  test.after(() => socket.destroy());
  socket.on('error', () => {});
  const head = Object.entries({ host: `127.0.0.1:${port}`, ...upgradeHeaders }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  socket.write(`GET / HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n`);
  await once(socket, 'data');
  socket.write(bytes);
  socket.resume();
  await once(socket, 'close');
}
