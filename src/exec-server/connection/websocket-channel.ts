import { isUtf8 } from 'node:buffer';
import type { RawData, WebSocket } from 'ws';
import type { CodemodeError } from '../../errors.js';
import { startTimer } from '../../waiting/timer.js';
import type { OutgoingMessage } from '../wire/encoded-result.js';
import { MAX_WS_FRAME_BYTES } from '../wire/limits.js';
import type { ChannelEvents, MessageChannel } from './message-channel.js';
import { connectionLost, peerEndedStream, socketClosed } from './messages.js';
import { keepAlive } from './ping.js';

/** More than this waiting in a socket, and the sender waits too. */
const HIGH_WATER_BYTES = 1_048_576;
/** How long a peer has to answer a close frame. */
const CLOSE_LIMIT_MS = 1_000;
/** A close frame has room for 123 bytes. */
const MAX_REASON_BYTES = 123;
const ORDERLY: ReadonlySet<number> = new Set([1000, 1001, 1005]);

export interface WebSocketChannelOptions {
  /** `IP:PORT` of the other side. */
  readonly peer: string;
  readonly pingIntervalMs?: number | undefined;
}

/** One JSON object per WebSocket message. Make it in the turn in which the socket opened, or messages are lost. */
export class WebSocketChannel implements MessageChannel {
  readonly complaint: string;
  readonly #socket: WebSocket;
  readonly #stopPings: () => void;
  #events: ChannelEvents | undefined;
  readonly #arrived: string[] = [];
  #paused = true;
  #gone: { readonly reason: CodemodeError | undefined } | undefined;
  #fault: CodemodeError | undefined;
  #ended = false;
  #closing: Promise<void> | undefined;

  constructor(socket: WebSocket, { peer, pingIntervalMs }: WebSocketChannelOptions) {
    this.complaint = `failed to parse websocket JSON-RPC message from exec-server websocket ${peer}`;
    this.#socket = socket;
    this.#stopPings = keepAlive(socket, (why) => this.fail(connectionLost(why)), pingIntervalMs);
    socket.on('message', (data, binary) => this.#received(data, binary));
    socket.on('error', (error) => {
      this.#fault ??= connectionLost(error.message, error);
    });
    socket.on('close', (code, reason) => this.#closed(code, reason.toString()));
  }

  start(events: ChannelEvents): void {
    this.#events = events;
    this.#paused = false;
    // Later, as a listener may want to finish its own construction first.
    setImmediate(() => this.#deliver());
  }

  get unsentBytes(): number {
    return this.#socket.bufferedAmount;
  }

  send(message: OutgoingMessage): Promise<void> {
    const socket = this.#socket;
    if (this.#closing !== undefined || socket.readyState !== socket.OPEN) {
      return Promise.reject(this.#gone?.reason ?? peerEndedStream());
    }
    return new Promise((resolve, reject) => {
      const sent = (error?: Error | null) => {
        if (error == null) resolve();
        else reject(this.#fault ?? connectionLost(error.message, error));
      };
      if (typeof message !== 'string') sendInFrames(socket, message, sent);
      else if (message.length <= MAX_WS_FRAME_BYTES / 3) socket.send(message, { binary: false }, sent);
      else sendInFrames(socket, slices(Buffer.from(message)), sent);
      if (socket.bufferedAmount < HIGH_WATER_BYTES) resolve();
    });
  }

  pause(): void {
    this.#paused = true;
    this.#socket.pause();
  }

  resume(): void {
    this.#paused = false;
    this.#socket.resume();
    this.#deliver();
  }

  close(code = 1000, reason = ''): Promise<void> {
    this.#closing ??= this.#close(code, reason);
    return this.#closing;
  }

  #close(code: number, reason: string): Promise<void> {
    const socket = this.#socket;
    this.#ended = true;
    this.#stopPings();
    this.#arrived.length = 0;
    if (socket.readyState === socket.CLOSED) return Promise.resolve();
    socket.resume(); // a paused socket does not see the answer to its close frame
    return new Promise((resolve) => {
      const stopTimer = startTimer(CLOSE_LIMIT_MS, () => socket.terminate());
      socket.once('close', () => {
        stopTimer();
        resolve();
      });
      socket.close(code, shortened(reason));
    });
  }

  #received(data: RawData, binary: boolean): void {
    if (this.#ended || this.#fault !== undefined) return;
    const bytes = Array.isArray(data) ? Buffer.concat(data) : Buffer.isBuffer(data) ? data : Buffer.from(data);
    const text = binary ? decoded(bytes) : bytes.toString(); // text was checked when it came
    this.#arrived.push(text);
    this.#deliver();
  }

  #deliver(): void {
    while (!this.#paused && !this.#ended) {
      const text = this.#arrived.shift();
      if (text === undefined) break;
      this.#events?.message(text);
    }
    if (this.#paused || this.#ended || this.#gone === undefined || this.#arrived.length > 0) return;
    this.#ended = true;
    this.#events?.end({ reason: this.#gone.reason, writable: false });
  }

  /** Nothing more is taken from the other side; with a `code`, it is told why. */
  fail(fault: CodemodeError, code?: number): void {
    this.#fault ??= fault;
    this.#arrived.length = 0;
    const socket = this.#socket;
    if (code === undefined) {
      socket.terminate();
      return;
    }
    socket.close(code, shortened(fault.message));
    const stopTimer = startTimer(CLOSE_LIMIT_MS, () => socket.terminate());
    socket.once('close', stopTimer);
  }

  #closed(code: number, reason: string): void {
    this.#stopPings();
    this.#gone = {
      reason: ORDERLY.has(code) ? this.#fault : (this.#fault ?? connectionLost(socketClosed(code, reason))),
    };
    // What is left is little, and nobody waits for room any more.
    this.#paused = this.#events === undefined;
    this.#deliver();
  }
}

/** Larger frames are refused by the reference; a message of several is not. */
function sendInFrames(socket: WebSocket, frames: readonly Uint8Array[], sent: (error?: Error | null) => void): void {
  for (const [index, frame] of frames.entries()) {
    const last = index === frames.length - 1;
    socket.send(frame, { binary: false, fin: last }, last ? sent : undefined);
  }
}

const slices = (bytes: Buffer): Buffer[] =>
  Array.from({ length: Math.ceil(bytes.length / MAX_WS_FRAME_BYTES) }, (_, index) =>
    bytes.subarray(index * MAX_WS_FRAME_BYTES, (index + 1) * MAX_WS_FRAME_BYTES),
  );

/** Bytes that are no UTF-8 get a mark in front, so that they are malformed whatever else they are. */
function decoded(bytes: Buffer): string {
  return isUtf8(bytes) ? bytes.toString() : `\ufffd${bytes.toString()}`;
}

function shortened(reason: string): string {
  const bytes = Buffer.from(reason);
  return bytes.length <= MAX_REASON_BYTES
    ? reason
    : bytes.toString('utf8', 0, MAX_REASON_BYTES - 3).replace(/\ufffd+$/, '');
}
