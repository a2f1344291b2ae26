import { createHash, timingSafeEqual } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { CodemodeError } from '../../errors.js';
import { isRecord } from '../../protocol/guard.js';
import { startTimer } from '../../waiting/timer.js';
import { type RequestContext, type RpcConnection, type RpcHandler, RpcViolation } from '../connection/index.js';
import {
  type InitializeResult,
  initializeParams,
  isMethod,
  type Method,
  methods,
  notifications,
  PROTOCOL_NAME,
  RpcError,
  readParamsWith,
  rpcCodes,
} from '../wire/index.js';
import type { ExecServer, ServedConnection } from './exec-server.js';
import { FileHandles } from './file-handles.js';
import { Lane } from './lane.js';
import {
  badTokenText,
  earlyInitializedText,
  handshakeLimitText,
  initializedFirstText,
  initializeFirstText,
  initializeTwiceText,
  tooManyTokensText,
  unexpectedNotificationText,
  unimplementedText,
} from './messages.js';
import { operations, type Scope } from './operations.js';
import type { Session } from './session.js';

const MAX_TOKEN_ATTEMPTS = 3;
/** WebSocket close code: against the rules of this server. */
const POLICY = 1008;

/** One connection: the handshake, then requests on a session. */
export class ExecHandler implements RpcHandler {
  readonly #server: ExecServer;
  readonly #connection: RpcConnection;
  readonly #served: ServedConnection;
  readonly #handles = new FileHandles();
  readonly #inOrder = new Lane();
  /** Processes on their way into the table. */
  readonly #starts = new Map<unknown, Promise<unknown>>();
  #session: Session | undefined;
  #ready = false;
  #over = false;
  #failedTokens = 0;
  #stopHandshake: () => void = () => undefined;

  constructor(server: ExecServer, connection: RpcConnection, served: ServedConnection) {
    this.#server = server;
    this.#connection = connection;
    this.#served = served;
    const { handshakeLimitMs } = served;
    if (handshakeLimitMs !== undefined) {
      this.#stopHandshake = startTimer(handshakeLimitMs, () => this.#close(handshakeLimitText(handshakeLimitMs)));
    }
  }

  async request(method: string, params: unknown, context: RequestContext): Promise<unknown> {
    if (!isMethod(method)) throw new RpcError(rpcCodes.methodNotFound, unimplementedText(method));
    if (method === 'initialize') return this.#initialize(params);
    const operation = operations[method];
    // What is wrong with the params comes before what is wrong with the moment.
    const run = operation.prepare(params);
    const session = this.#gate(method);
    // Every read that waits listens to them, and many may wait.
    setMaxListeners(0, context.signal, context.inputEnded, context.crowded);
    const scope: Scope = {
      processes: session.processes,
      handles: this.#handles,
      paths: this.#server.launcher.paths,
      environmentInfo: () => this.#server.environmentInfo(),
      context,
    };
    const id = isRecord(params) ? params.processId : undefined;
    if (!operation.inOrder) {
      const start = this.#starts.get(id);
      if (start !== undefined) await start;
      return await run(scope);
    }
    // In the order of arrival, as clients expect who do not wait: a script is written before it is started.
    const result = this.#inOrder.run(() => {
      // Nobody is there any more: what was not begun is not begun.
      this.#connection.signal.throwIfAborted();
      return run(scope);
    });
    if (method === 'process/start') this.#note(id, result);
    return await result;
  }

  notification(method: string): void {
    if (method !== notifications.initialized) throw new RpcViolation(unexpectedNotificationText(method));
    if (this.#session === undefined) throw new RpcViolation(earlyInitializedText);
    this.#ready = true;
    this.#stopHandshake();
  }

  closed(): void {
    this.#over = true;
    this.#stopHandshake();
    this.#handles.closeAll();
    if (this.#session !== undefined) this.#server.leaveSession(this.#session, this.#served.resumable);
  }

  /** Whoever asks for the process in the meantime waits; that it failed is no news to them. */
  #note(id: unknown, start: Promise<unknown>): void {
    const before = this.#starts.get(id);
    const settled = Promise.allSettled([before, start]).then(() => {
      if (this.#starts.get(id) === settled) this.#starts.delete(id);
    });
    this.#starts.set(id, settled);
  }

  #initialize(params: unknown): InitializeResult {
    const { resumeSessionId, authToken, maxMessageBytes, maxMessageValues } = readParamsWith(initializeParams, params);
    if (this.#session !== undefined) throw new RpcError(rpcCodes.invalidRequest, initializeTwiceText);
    this.#checkToken(authToken);
    const session = this.#server.openSession(this.#connection, resumeSessionId ?? undefined);
    this.#session = session;
    this.#connection.limitAnswers(maxMessageBytes ?? undefined, maxMessageValues ?? undefined);
    if (this.#over) this.#server.leaveSession(session, false);
    return { protocolVersion: PROTOCOL_NAME, sessionId: session.id, environmentInfo: this.#server.environmentInfo() };
  }

  #checkToken(given: unknown): void {
    const { authToken } = this.#server;
    if (authToken === undefined || (typeof given === 'string' && isSame(given, authToken))) return;
    this.#failedTokens += 1;
    if (this.#failedTokens >= MAX_TOKEN_ATTEMPTS) setImmediate(() => this.#close(tooManyTokensText));
    throw new RpcError(rpcCodes.unauthorized, badTokenText);
  }

  #gate(method: Exclude<Method, 'initialize'>): Session {
    const family = methods[method];
    if (this.#session === undefined) throw new RpcError(rpcCodes.invalidRequest, initializeFirstText(family));
    if (!this.#ready) throw new RpcError(rpcCodes.invalidRequest, initializedFirstText(family));
    return this.#session;
  }

  #close(reason: string): void {
    this.#connection.close(new CodemodeError('protocol-error', reason), POLICY).catch(() => undefined);
  }
}

/** Takes the same time whatever is wrong with it. */
function isSame(given: string, wanted: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(wanted));
}
