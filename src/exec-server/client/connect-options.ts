import { isFunction, isLimit, isText, isTexts, limitWords, maybeArgument, needArgument } from '../../names/argument.js';
import { checkOptionNames, type OptionNames } from '../../names/option-names.js';
import { hostEnvironment } from '../../process/environment.js';
import { memoryChannels } from '../connection/memory-channel.js';
import { RpcConnection, type RpcConnectionOptions } from '../connection/rpc-connection.js';
import type { RpcHandler } from '../connection/rpc-handler.js';
import { CONNECT_TIMEOUT_MS, INITIALIZE_TIMEOUT_MS } from '../wire/limits.js';
import type { EnvironmentInfo } from '../wire/session.js';
import type { Dialer } from './dialer.js';
import type { StdioTarget } from './stdio-dialer.js';
import type { WebSocketTarget } from './websocket-dialer.js';

/** Of every way to a server. */
export interface OpenOptions {
  /** Default: `codemode-run`. */
  readonly clientName?: string | undefined;
  /** How long the server may take for `initialize`. Default: 10,000. */
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
  /** How long the WebSocket may take to open. Default: 10,000. */
  readonly connectTimeoutMs?: number | undefined;
  /** How often the server is pinged; two pings without an answer are the loss of the connection. Default: 30,000. */
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

/** An `ExecServer`, as far as a connection needs one. */
export interface ConnectionHost {
  environmentInfo(): EnvironmentInfo;
  close(): void;
  /** @internal */
  readonly connectionOptions: RpcConnectionOptions;
  /** @internal */
  handle(connection: RpcConnection, served: { readonly resumable: boolean }): RpcHandler;
}

export interface InProcessOptions extends OpenOptions {
  readonly server: ConnectionHost;
}

const known: OptionNames<OpenOptions> = {
  clientName: true,
  initializeTimeoutMs: true,
  recoveryLimitMs: true,
  bufferBytes: true,
  authToken: true,
  signal: true,
};
const knownOfWebSocket: OptionNames<WebSocketOptions> = {
  ...known,
  url: true,
  token: true,
  connectTimeoutMs: true,
  pingIntervalMs: true,
};
const knownOfStdio: OptionNames<StdioOptions> = {
  ...known,
  command: true,
  args: true,
  cwd: true,
  env: true,
  onStderrLine: true,
};
const knownOfInProcess: OptionNames<InProcessOptions> = { ...known, server: true };

type Limits = OpenOptions & Pick<WebSocketOptions, 'connectTimeoutMs' | 'pingIntervalMs'>;

function checkLimits(call: string, options: Limits): void {
  for (const name of ['connectTimeoutMs', 'initializeTimeoutMs', 'pingIntervalMs'] as const)
    maybeArgument(call, name, options[name], isLimit, limitWords);
  maybeArgument(call, 'recoveryLimitMs', options.recoveryLimitMs, isTime, 'a number of ms, or 0');
  maybeArgument(call, 'bufferBytes', options.bufferBytes, isLimit, 'a number of bytes above 0, or Infinity');
}

const isTime = (value: unknown): boolean => typeof value === 'number' && value >= 0;

export function sessionOptions(options: OpenOptions) {
  return {
    clientName: options.clientName ?? 'codemode-run',
    initializeTimeoutMs: options.initializeTimeoutMs ?? INITIALIZE_TIMEOUT_MS,
    authToken: options.authToken,
  };
}

export function webSocketTarget(options: WebSocketOptions): WebSocketTarget {
  checkOptionNames('connectWebSocket', options, knownOfWebSocket);
  checkLimits('connectWebSocket', options);
  const { url, token, connectTimeoutMs, pingIntervalMs } = options;
  return { url, token, connectTimeoutMs: connectTimeoutMs ?? CONNECT_TIMEOUT_MS, pingIntervalMs };
}

export function stdioTarget(options: StdioOptions): StdioTarget {
  checkOptionNames('connectStdio', options, knownOfStdio);
  checkLimits('connectStdio', options);
  needArgument('connectStdio', 'command', options.command, isText, 'a string');
  maybeArgument('connectStdio', 'args', options.args, isTexts, 'an array of strings');
  const { command, args, cwd, env, onStderrLine } = options;
  return {
    command: { program: command, ...(args === undefined ? {} : { args }), ...(cwd === undefined ? {} : { cwd }) },
    env: env ?? hostEnvironment({}),
    onStderrLine,
  };
}

export function inProcessDialer(options: InProcessOptions): Dialer {
  checkOptionNames('connectInProcess', options, knownOfInProcess);
  checkLimits('connectInProcess', options);
  const { server } = options;
  needArgument('connectInProcess', 'server', Object(server).handle, isFunction, 'an ExecServer');
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
