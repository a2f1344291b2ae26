import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { HANDSHAKE_LIMIT_MS, MAX_WS_FRAME_BYTES, MAX_WS_MESSAGE_BYTES } from '../wire/limits.js';
import { refusalOf, type WebSocketAuth } from './bearer-auth.js';
import { FrameSizeGuard } from './frame-size-guard.js';
import type { MessageChannel } from './message-channel.js';
import { cannotListen, frameTooLarge } from './messages.js';
import { isLoopbackAddress, type PlainAnswer, plainAnswer, upgradeFault } from './upgrade-rules.js';
import { WebSocketChannel } from './websocket-channel.js';

export interface ListenOptions {
  /** A literal IP address. */
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  readonly auth: WebSocketAuth;
  /** Must make its `RpcConnection` before it returns. */
  readonly onConnection: (channel: MessageChannel, peer: string) => void;
  /** Sockets at once, also those that have not said what they want; default 1,024. */
  readonly maxSockets?: number | undefined;
  readonly pingIntervalMs?: number | undefined;
}

export interface WebSocketListener {
  /** `ws://IP:PORT`, with the port that was given. */
  readonly url: string;
  readonly port: number;
  /** Nobody can reach the server beyond this machine. */
  readonly loopback: boolean;
  /** Stops listening and drops what is not a WebSocket yet. Open channels are their owner's to close, before or after. */
  close(): Promise<void>;
}

const MAX_SOCKETS = 1_024;
const FRAME_TOO_LARGE = 1009;

/** Rejects with `connect-failed` when the address is taken, or not ours. */
export async function listenWebSocket(options: ListenOptions): Promise<WebSocketListener> {
  const front = new Front(options);
  const { address, family, port } = await listen(front.server, options);
  const host = family === 'IPv6' ? `[${address}]` : address;
  return { url: `ws://${host}:${port}`, port, loopback: front.loopback, close: () => front.close() };
}

function listen(server: Server, { host, port }: ListenOptions): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(cannotListen(host, port, error)));
    server.listen({ host, port, exclusive: true }, () => resolve(server.address() as AddressInfo));
  });
}

/** The HTTP side of the server: everything that comes before a channel. */
class Front {
  readonly server: Server;
  readonly loopback: boolean;
  readonly #options: ListenOptions;
  readonly #sockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: MAX_WS_MESSAGE_BYTES,
    handleProtocols: () => false,
  });
  /** Upgrades that were not decided yet. */
  readonly #undecided = new Set<Duplex>();

  constructor(options: ListenOptions) {
    this.#options = options;
    this.loopback = isLoopbackAddress(options.host);
    this.server = createServer({ headersTimeout: HANDSHAKE_LIMIT_MS, requestTimeout: HANDSHAKE_LIMIT_MS });
    this.server.maxConnections = options.maxSockets ?? MAX_SOCKETS;
    this.server.on('request', (request, response) => respond(request, response, plainAnswer(request, this.loopback)));
    this.server.on('upgrade', (request, socket, head) => this.#upgrade(request, socket, head));
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    for (const socket of this.#undecided) socket.destroy();
    this.server.closeAllConnections();
    // Sockets that have become channels count as connections too, so this settles with the last of them: not waited for.
    await Promise.race([closed, new Promise<void>((resolve) => setImmediate(resolve))]);
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', ignore);
    this.#undecided.add(socket);
    this.#decide(request)
      .then((answer) => {
        this.#undecided.delete(socket);
        socket.off('error', ignore);
        if (answer !== undefined) this.#refuse(answer, socket, head);
        else if (!socket.destroyed && this.server.listening) this.#open(request, socket, head);
        else socket.destroy();
      })
      .catch(() => socket.destroy());
  }

  async #decide(request: IncomingMessage): Promise<PlainAnswer | undefined> {
    const fault = upgradeFault(request, this.loopback);
    if (fault !== undefined) return fault;
    const refusal = await refusalOf(this.#options.auth, request.headers.authorization);
    return refusal === undefined ? undefined : { status: 401, body: refusal };
  }

  /** An upgrade has no response object: the answer is written to the socket, which then carries HTTP again. */
  #refuse({ status, body, allow }: PlainAnswer, socket: Duplex, head: Buffer): void {
    const lines = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      ...(body === '' ? [] : ['content-type: text/plain; charset=utf-8']),
      ...(allow === undefined ? [] : [`allow: ${allow}`]),
      `content-length: ${Buffer.byteLength(body)}`,
    ];
    socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`);
    if (head.length > 0) socket.unshift(head);
    this.server.emit('connection', socket);
  }

  #open(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const { remoteAddress = '', remotePort = 0 } = request.socket;
    const peer = remoteAddress.includes(':') ? `[${remoteAddress}]:${remotePort}` : `${remoteAddress}:${remotePort}`;
    this.#sockets.handleUpgrade(request, socket, head, (webSocket) => {
      const channel = new WebSocketChannel(webSocket, { peer, pingIntervalMs: this.#options.pingIntervalMs });
      const guard = new FrameSizeGuard(() => channel.fail(frameTooLarge(MAX_WS_FRAME_BYTES), FRAME_TOO_LARGE));
      guard.add(head);
      socket.on('data', (chunk: Buffer) => guard.add(chunk));
      this.#options.onConnection(channel, peer);
    });
  }
}

function respond(request: IncomingMessage, response: ServerResponse, { status, body, allow }: PlainAnswer): void {
  request.resume();
  response.removeHeader('connection');
  response.statusCode = status;
  if (body !== '') response.setHeader('content-type', 'text/plain; charset=utf-8');
  if (allow !== undefined) response.setHeader('allow', allow);
  response.setHeader('content-length', Buffer.byteLength(body));
  response.end(body);
}

const ignore = (): void => undefined;
