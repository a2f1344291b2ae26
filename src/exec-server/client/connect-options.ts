import { hostEnvironment } from '../../process/environment.js';
import { memoryChannels } from '../connection/memory-channel.js';
import { RpcConnection, type RpcConnectionOptions } from '../connection/rpc-connection.js';
import type { RpcHandler } from '../connection/rpc-handler.js';
import { CONNECT_TIMEOUT_MS, INITIALIZE_TIMEOUT_MS } from '../wire/limits.js';
import type { Dialer } from './dialer.js';
import type { StdioTarget } from './stdio-dialer.js';
import type { WebSocketTarget } from './websocket-dialer.js';

/** Of every way to a server. */
export interface OpenOptions {
  /** Default: `codemode-run`. */
  readonly clientName?: string | undefined;
  /** Default: 10,000. */
  readonly initializeTimeoutMs?: number | undefined;
  /** How long a cut connection is tried again, where the server keeps the session. Default: 45,000. */
  readonly recoveryLimitMs?: number | undefined;
  /** Output of one process that waits for its reader, before the server's retention is relied on. Default: 4 MiB. */
  readonly bufferBytes?: number | undefined;
  /** For servers that ask for it in `initialize`, in whatever way they are reached. */
  readonly authToken?: string | undefined;
  /** Governs connecting only. */
  readonly signal?: AbortSignal | undefined;
}

export interface WebSocketOptions extends OpenOptions {
  /** `ws://…` or `wss://…`. */
  readonly url: string;
  /** Sent as bearer token with the upgrade. */
  readonly token?: string | undefined;
  /** Default: 10,000. */
  readonly connectTimeoutMs?: number | undefined;
  readonly pingIntervalMs?: number | undefined;
}

export interface StdioOptions extends OpenOptions {
  readonly command: string;
  readonly args?: readonly string[] | undefined;
  readonly cwd?: string | undefined;
  /** All of it. Default: what a host gets, a short list of names. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly onStderrLine?: ((line: string) => void) | undefined;
}

/** The side of a server that connections see. */
export interface ConnectionHost {
  readonly connectionOptions: RpcConnectionOptions;
  handle(connection: RpcConnection, served: { readonly resumable: boolean }): RpcHandler;
}

export interface InProcessOptions extends OpenOptions {
  readonly server: ConnectionHost;
}

export function sessionOptions(options: OpenOptions) {
  return {
    clientName: options.clientName ?? 'codemode-run',
    initializeTimeoutMs: options.initializeTimeoutMs ?? INITIALIZE_TIMEOUT_MS,
    authToken: options.authToken,
  };
}

export function webSocketTarget({ url, token, connectTimeoutMs, pingIntervalMs }: WebSocketOptions): WebSocketTarget {
  return { url, token, connectTimeoutMs: connectTimeoutMs ?? CONNECT_TIMEOUT_MS, pingIntervalMs };
}

export function stdioTarget({ command, args, cwd, env, onStderrLine }: StdioOptions): StdioTarget {
  return {
    command: { program: command, ...(args === undefined ? {} : { args }), ...(cwd === undefined ? {} : { cwd }) },
    env: env ?? hostEnvironment({}),
    onStderrLine,
  };
}

export function inProcessDialer(server: ConnectionHost): Dialer {
  return {
    resumable: false,
    dial: () => {
      const [ours, theirs] = memoryChannels();
      new RpcConnection(
        theirs,
        (connection) => server.handle(connection, { resumable: false }),
        server.connectionOptions,
      );
      return Promise.resolve(ours);
    },
  };
}
