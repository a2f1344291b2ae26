import { randomUUID } from 'node:crypto';
import { isRecord } from '../../protocol/guard.js';
import type { Passing, RpcConnection, RpcConnectionOptions, RpcHandler } from '../connection/index.js';
import { DETACHED_SESSION_MS, type EnvironmentInfo, HANDSHAKE_LIMIT_MS, RpcError, rpcCodes } from '../wire/index.js';
import { describeEnvironment } from './environment-info.js';
import type { Environment } from './environment-policy.js';
import { ExecHandler } from './exec-handler.js';
import { Launcher } from './launcher.js';
import { attachedText, shuttingDownText, unknownSessionText } from './messages.js';
import { Session } from './session.js';

export interface ExecServerOptions {
  /** Of this program: what a policy lets children inherit, and what `environment/info` tells. */
  readonly environment: Environment;
  readonly version: string;
  /** Asked for in `initialize`, in addition to what the transport asks for. */
  readonly authToken?: string | undefined;
  readonly acceptNativePaths?: boolean | undefined;
  /** How long the processes of a lost connection go on, where its client may come back. 0: they end with it. */
  readonly detachedTtlMs?: number | undefined;
  /** Requests of one connection under way at once. Default: as many as come. */
  readonly concurrentRequests?: number | undefined;
  /** Whether children whose environment we make get a variable by which they are found again. Default: yes. */
  readonly markProcesses?: boolean | undefined;
}

export interface ServedConnection {
  /** Whether its client may come back after the connection is lost. */
  readonly resumable: boolean;
  readonly handshakeLimitMs?: number | undefined;
}

/** Starts and controls processes, and reads and writes files, for whoever is connected to it. */
export class ExecServer {
  readonly #options: ExecServerOptions;
  readonly #launcher: Launcher;
  readonly #sessions = new Map<string, Session>();
  #closed = false;

  constructor(options: ExecServerOptions) {
    this.#options = options;
    this.#launcher = new Launcher({
      environment: options.environment,
      paths: { acceptNative: options.acceptNativePaths === true },
      marks: options.markProcesses !== false,
    });
  }

  get launcher(): Launcher {
    return this.#launcher;
  }

  get authToken(): string | undefined {
    return this.#options.authToken;
  }

  /** For the connections of this server. */
  get connectionOptions(): RpcConnectionOptions {
    return { role: 'server', concurrentRequests: this.#options.concurrentRequests, passing };
  }

  environmentInfo(): EnvironmentInfo {
    return describeEnvironment(this.#options.environment, this.#options.version);
  }

  /** What answers on one connection; a session is opened when the client asks for it. */
  handle(connection: RpcConnection, served: ServedConnection): RpcHandler {
    const handshakeLimitMs = served.handshakeLimitMs ?? (served.resumable ? HANDSHAKE_LIMIT_MS : undefined);
    return new ExecHandler(this, connection, { ...served, handshakeLimitMs });
  }

  /** A new session, or the one that is asked for, if it waits for its client. */
  openSession(connection: RpcConnection, resumeId: string | undefined): Session {
    if (this.#closed) throw new RpcError(rpcCodes.internal, shuttingDownText);
    const session = resumeId === undefined ? this.#newSession() : this.#detached(resumeId);
    session.attach(connection);
    return session;
  }

  /** The session's connection is gone. */
  leaveSession(session: Session, resumable: boolean): void {
    const keepMs = this.#options.detachedTtlMs ?? DETACHED_SESSION_MS;
    if (resumable && keepMs > 0 && !this.#closed) session.detach(keepMs, () => this.#end(session));
    else this.#end(session);
  }

  /** Ends every session, with everything that was started. */
  close(): void {
    this.#closed = true;
    for (const session of [...this.#sessions.values()]) this.#end(session);
    this.#launcher.close();
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
