import { randomUUID } from 'node:crypto';
import { CodemodeError } from '../../errors.js';
import { isText, needArgument } from '../../names/argument.js';
import { checkOptionNames } from '../../names/option-names.js';
import type { CallOptions } from '../connection/pending-calls.js';
import { RECOVERY_LIMIT_MS } from '../wire/limits.js';
import { type EnvironmentInfo, environmentInfo, environmentStatus } from '../wire/session.js';
import { checkCallOptions } from './call-options.js';
import {
  type InProcessOptions,
  inProcessDialer,
  type OpenOptions,
  type StdioOptions,
  sessionOptions,
  stdioTarget,
  type WebSocketOptions,
  webSocketTarget,
} from './connect-options.js';
import { processNotification, resultOf } from './decode.js';
import type { Dialer } from './dialer.js';
import { FileClient } from './file-client.js';
import { alreadyStarted } from './messages.js';
import { checkStartOptions, type StartOptions } from './process-calls.js';
import { RemoteProcess } from './remote-process.js';
import { Session } from './session.js';
import { stdioDialer } from './stdio-dialer.js';
import { webSocketDialer } from './websocket-dialer.js';

/** How long `close` waits for the answers to its terminations. */
const FAREWELL_MS = 1_000;

export interface CloseOptions {
  /** Leaves the processes to the server, which ends them when nobody resumes the session. Default: false. */
  readonly detach?: boolean;
}

/** Processes and files of an exec-server, wherever that runs. */
export class ExecServerClient implements AsyncDisposable {
  readonly #processes = new Map<string, RemoteProcess>();
  readonly #bufferBytes: number | undefined;
  readonly #idPrefix = randomUUID().slice(0, 8);
  #session: Session | undefined;
  #files: FileClient | undefined;
  #ids = 0;
  #closing: Promise<void> | undefined;

  private constructor(bufferBytes: number | undefined) {
    this.#bufferBytes = bufferBytes;
  }

  /**
   * Rejects with `connect-timeout`, `connect-failed` (also when the server refuses `initialize`, such as for its token),
   * `handshake-timeout` or `cancelled`.
   */
  static async connectWebSocket(options: WebSocketOptions): Promise<ExecServerClient> {
    return ExecServerClient.#open(webSocketDialer(webSocketTarget(options)), options);
  }

  /** Starts a server that ends with this client. Rejects with `spawn-failed` when it cannot be started. */
  static async connectStdio(options: StdioOptions): Promise<ExecServerClient> {
    return ExecServerClient.#open(stdioDialer(stdioTarget(options)), options);
  }

  /** Uses a server in this program, over the same messages as any other. */
  static async connectInProcess(options: InProcessOptions): Promise<ExecServerClient> {
    return ExecServerClient.#open(inProcessDialer(options), options);
  }

  static async #open(dialer: Dialer, options: OpenOptions): Promise<ExecServerClient> {
    const client = new ExecServerClient(options.bufferBytes);
    const events = {
      notification: (method: string, params: unknown) => client.#notified(method, params),
      resumed: () => client.#resumed(),
      over: (reason: CodemodeError) => client.#over(reason),
    };
    const recoveryLimitMs = options.recoveryLimitMs ?? RECOVERY_LIMIT_MS;
    const session = await Session.open(dialer, { ...sessionOptions(options), recoveryLimitMs }, events, options.signal);
    client.#session = session;
    client.#files = new FileClient(session);
    return client;
  }

  /** Undefined where the server has no sessions. It is a secret: whoever knows it can take the session over. */
  get sessionId(): string | undefined {
    return this.#live.id;
  }

  get fs(): FileClient {
    return this.#files as FileClient;
  }

  /** Why this client is of no more use; undefined while it is. */
  get reason(): CodemodeError | undefined {
    return this.#live.reason;
  }

  /** Rejects with `operation-failed` when the server could not start it. */
  async start(options: StartOptions): Promise<RemoteProcess> {
    checkStartOptions(options);
    const id = options.processId ?? `${this.#idPrefix}-${++this.#ids}`;
    if (this.#processes.has(id)) throw alreadyStarted(id);
    const process: RemoteProcess = new RemoteProcess(this.#live, id, {
      onClosed: () => this.#forget(process),
      bufferBytes: this.#bufferBytes,
      events: options.events,
    });
    this.#processes.set(id, process); // before it starts: its first output may overtake the answer
    try {
      await process.start(options);
    } catch (error) {
      if (isGivenUp(error) && this.reason === undefined) this.#abandon(process);
      else this.#forget(process);
      throw error;
    }
    return process;
  }

  /** What the server says of the machine it runs on. */
  async environmentInfo(options: CallOptions = {}): Promise<EnvironmentInfo> {
    checkCallOptions('environmentInfo', options, {});
    const answer = await this.#live.call('environment/info', {}, options);
    return resultOf('environment/info', environmentInfo, answer);
  }

  async environmentStatus(options: CallOptions = {}): Promise<string> {
    checkCallOptions('environmentStatus', options, {});
    const answer = await this.#live.call('environment/status', {}, options);
    return resultOf('environment/status', environmentStatus, answer).status;
  }

  /** Any method, for what this client has no name for. */
  async call(method: string, params: unknown, options: CallOptions = {}): Promise<unknown> {
    checkCallOptions('call', options, {});
    needArgument('call', 'method', method, isText, 'a string');
    return await this.#live.call(method, params, options);
  }

  /** Terminates what it started, and leaves. Everything pending is rejected with `connection-closed`. */
  async close(options: CloseOptions = {}): Promise<void> {
    checkOptionNames('close', options, { detach: true });
    this.#closing ??= this.#close(options);
    await this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Nobody waits for its start any more, which may have its effect all the same. */
  #abandon(process: RemoteProcess): void {
    process
      .terminate()
      .catch(() => undefined)
      .finally(() => this.#forget(process));
  }

  #forget(process: RemoteProcess): void {
    if (this.#processes.get(process.id) === process) this.#processes.delete(process.id);
  }

  get #live(): Session {
    return this.#session as Session;
  }

  async #close({ detach = false }: CloseOptions): Promise<void> {
    if (!detach && this.reason === undefined) {
      const farewell = { signal: AbortSignal.timeout(FAREWELL_MS) };
      const running = [...this.#processes.values()];
      await Promise.allSettled(running.map((process) => process.terminate(farewell)));
    }
    await this.#live.close();
  }

  #notified(method: string, params: unknown): void {
    const notification = processNotification(method, params);
    if (notification !== undefined) this.#processes.get(notification.processId)?.push(notification);
  }

  #resumed(): void {
    for (const process of this.#processes.values()) process.resumed();
  }

  #over(reason: CodemodeError): void {
    for (const process of [...this.#processes.values()]) process.fail(reason);
    this.#processes.clear();
  }
}

const isGivenUp = (error: unknown): boolean =>
  error instanceof CodemodeError && (error.code === 'cancelled' || error.code === 'operation-timeout');
