import type { ErrorData } from '../errors.js';
import type { ServerFault } from './server-fault.js';

/** A message of JSON-RPC on its way out. */
export type RpcMessage = { readonly jsonrpc: '2.0'; readonly [field: string]: unknown };

/** The way to a server and back, whatever it is made of. */
export interface Channel {
  /** Rejects with a `ServerFault` when the message can not get there. */
  send(message: RpcMessage): Promise<void>;
  /** The protocol version that both sides have agreed on. */
  agreed(version: string): void;
  /** Nobody waits for the answer to this request any more. */
  forget(id: number): void;
  /** Ends it for what it has done, and tells so by `ended`. */
  giveUp(reason: string): void;
  /** Ends the server, or the session with it, in bounded time. Never rejects. */
  close(): Promise<void>;
  /** What can be said about the other side, for an error. */
  facts(): ChannelFacts;
}

export interface ChannelFacts {
  /** To be put behind a reason: `; stderr: …`. */
  readonly text: string;
  readonly data: ErrorData;
}

export interface ChannelEvents {
  /** False when it is no message of JSON-RPC that can be used. */
  message(value: unknown): boolean;
  /** What came that is no message. */
  stray(text: string): void;
  stderr(line: string): void;
  /** What we have to say about it, while it goes on. */
  warn(text: string): void;
  /** The answer to this request will not come. */
  lost(id: number, fault: ServerFault): void;
  /** It ended of its own accord; nothing comes after this. */
  ended(fault: ServerFault): void;
}
