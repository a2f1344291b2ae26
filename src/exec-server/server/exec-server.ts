import { randomUUID } from 'node:crypto';
import { CodemodeError } from '../../errors.js';
import { isRecord } from '../../protocol/guard.js';
import type { Passing, RpcConnection, RpcConnectionOptions, RpcHandler } from '../connection/index.js';
import { DETACHED_SESSION_MS, type EnvironmentInfo, HANDSHAKE_LIMIT_MS, RpcError, rpcCodes } from '../wire/index.js';
import { describeEnvironment } from './environment-info.js';
import { ExecHandler } from './exec-handler.js';
import { Launcher } from './launcher.js';
import { attachedText, shuttingDownText, unknownSessionText } from './messages.js';
import { checkServerOptions, type ExecServerOptions } from './server-options.js';
import { Session } from './session.js';

/** WebSocket close code: the server goes away. */
const GOING_AWAY = 1001;

export interface ServedConnection {
  /** Whether its client may come back after the connection is lost. */
  readonly resumable: boolean;
  readonly handshakeLimitMs?: number | undefined;
}

/**
 * Starts and controls processes, and reads and writes files, for whoever is connected to it: see
 * `ExecServerClient.connectInProcess`. It ends with `close()`, or at the end of its block with `using`.
 */
export class ExecServer implements Disposable {
  readonly #options: ExecServerOptions;
  readonly #launcher: Launcher;
  readonly #sessions = new Map<string, Session>();
  #closed = false;

  /** Starts nothing yet. Throws `invalid-argument` for options that are missing, misspelt, or of another kind. */
  constructor(options: ExecServerOptions) {
    checkServerOptions(options);
    this.#options = options;
    this.#launcher = new Launcher({
      environment: options.environment,
      paths: { acceptNative: options.acceptNativePaths === true },
      marks: options.markProcesses !== false,
    });
  }

  /** @internal */
  get launcher(): Launcher {
    return this.#launcher;
  }

  /** @internal */
  get authToken(): string | undefined {
    return this.#options.authToken;
  }

  /** @internal For the connections of this server. */
  get connectionOptions(): RpcConnectionOptions {
    return { role: 'server', concurrentRequests: this.#options.concurrentRequests, passing };
  }

  /** What it says of the machine it runs on. */
  environmentInfo(): EnvironmentInfo {
    return describeEnvironment(this.#options.environment, this.#options.version);
  }

  /** @internal What answers on one connection; a session is opened when the client asks for it. */
  handle(connection: RpcConnection, served: ServedConnection): RpcHandler {
    const handshakeLimitMs = served.handshakeLimitMs ?? (served.resumable ? HANDSHAKE_LIMIT_MS : undefined);
    return new ExecHandler(this, connection, { ...served, handshakeLimitMs });
  }

  /** @internal A new session, or the one that is asked for, if it waits for its client. */
  openSession(connection: RpcConnection, resumeId: string | undefined): Session {
    if (this.#closed) throw new RpcError(rpcCodes.internal, shuttingDownText);
    const session = resumeId === undefined ? this.#newSession() : this.#detached(resumeId);
    session.attach(connection);
    return session;
  }

  /** @internal The session's connection is gone. */
  leaveSession(session: Session, resumable: boolean): void {
    const keepMs = this.#options.detachedTtlMs ?? DETACHED_SESSION_MS;
    if (resumable && keepMs > 0 && !this.#closed) session.detach(keepMs, () => this.#end(session));
    else this.#end(session);
  }

  /**
   * Ends every session: everything that was started is killed when this returns. Then their connections are closed, and
   * whoever waits at the other end of one hears of it. No session is opened afterwards. May be called again.
   */
  close(): void {
    this.#closed = true;
    const sessions = [...this.#sessions.values()];
    const connections = sessions.map(({ connection }) => connection);
    for (const session of sessions) this.#end(session);
    this.#launcher.close();
    const reason = new CodemodeError('connection-closed', shuttingDownText);
    for (const connection of connections) connection?.close(reason, GOING_AWAY).catch(() => undefined);
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #newSession(): Session {
    const session = new Session(randomUUID(), this.#launcher);
    this.#sessions.set(session.id, session);
    return session;
  }

  #detached(id: string): Session {
    const session = this.#sessions.get(id);
    if (session === undefined) throw new RpcError(rpcCodes.invalidRequest, unknownSessionText(id));
    if (session.attached) throw new RpcError(rpcCodes.sessionAttached, attachedText(id));
    return session;
  }

  #end(session: Session): void {
    this.#sessions.delete(session.id);
    session.end();
  }
}

const quick = new Set([
  'process/terminate',
  'process/signal',
  'process/resize',
  'environment/info',
  'environment/status',
]);

/** What ends something never waits for what is to be ended; but the start must have had its turn. */
const passing: Passing = {
  mayPass: ({ method }) => quick.has(method),
  mayNotPass: ({ params }, { method, params: others }) =>
    method === 'initialize' ||
    method === 'initialized' ||
    (method === 'process/start' && idOf(others) === idOf(params)),
};

const idOf = (params: unknown): unknown => (isRecord(params) ? params.processId : undefined);
