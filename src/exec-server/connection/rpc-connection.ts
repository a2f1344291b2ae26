import type { CodemodeError } from '../../errors.js';
import { DRAIN_LIMIT_MS, MAX_QUEUED_MESSAGES, MAX_RUNNING_REQUESTS } from '../wire/limits.js';
import { RpcError, rpcCodes } from '../wire/rpc-error.js';
import {
  encodeError,
  encodeNotification,
  encodeResult,
  MALFORMED_ID,
  parseMessage,
  type RpcMessage,
  type RpcRequest,
} from '../wire/rpc-message.js';
import { Inbox, type MayPass } from './inbox.js';
import type { ChannelEnd, MessageChannel } from './message-channel.js';
import {
  complainedAboutUs,
  connectionClosed,
  malformedMessage,
  peerEndedStream,
  textOf,
  unexpectedResponse,
  violation,
} from './messages.js';
import { Outbox } from './outbox.js';
import { encodeCall } from './outgoing-call.js';
import { type CallOptions, PendingCalls } from './pending-calls.js';
import { type RequestContext, type RpcHandler, RpcViolation } from './rpc-handler.js';
import { startTimer } from './timer.js';

export interface RpcConnectionOptions {
  /** A server answers what it cannot read and refuses answers; for a client the first is fatal and the second ignored. */
  readonly role: 'server' | 'client';
  /** Requests of the peer under way at once; default: as many as come, up to 1,024. */
  readonly concurrentRequests?: number | undefined;
  /** Which request may start although all places are taken. */
  readonly mayPass?: MayPass | undefined;
  readonly drainLimitMs?: number | undefined;
}

/** WebSocket close codes; a stream has no use for them. */
const NORMAL = 1000;
const BROKEN_PROTOCOL = 1002;

/** One JSON-RPC conversation over a message channel. It reads from the moment it is made. */
export class RpcConnection {
  readonly #channel: MessageChannel;
  readonly #handler: RpcHandler;
  readonly #options: RpcConnectionOptions;
  readonly #inbox: Inbox;
  readonly #outbox: Outbox;
  readonly #calls = new PendingCalls();
  readonly #life = new AbortController();
  readonly #input = new AbortController();
  /** Nobody can be answered any more. */
  readonly #deaf = new AbortController();
  #nextId = 1;
  #paused = false;
  #finish: { readonly reason: CodemodeError | undefined; readonly code: number; stopTimer(): void } | undefined;
  #closing: Promise<void> | undefined;

  constructor(
    channel: MessageChannel,
    makeHandler: (connection: RpcConnection) => RpcHandler,
    options: RpcConnectionOptions,
  ) {
    this.#channel = channel;
    this.#options = options;
    this.#inbox = new Inbox(options.concurrentRequests ?? MAX_RUNNING_REQUESTS, options.mayPass);
    this.#outbox = new Outbox(channel, (failure) => this.#outboxChanged(failure));
    this.#handler = makeHandler(this);
    channel.start({ message: (text) => this.#received(text), end: (end) => this.#ended(end) });
  }

  /** Fires when the conversation is over; its reason is a `CodemodeError`. */
  get signal(): AbortSignal {
    return this.#life.signal;
  }

  /** Rejects with `operation-failed` for an error answer (`data: {code, message, data}`), else with what went wrong. */
  request(method: string, params: unknown, options: CallOptions = {}): Promise<unknown> {
    if (this.signal.aborted) return Promise.reject(this.#reason().copy());
    let text: string;
    try {
      text = encodeCall(this.#nextId, method, params);
    } catch (error) {
      return Promise.reject(error);
    }
    const answer = this.#calls.open(this.#nextId++, method, options);
    if (options.signal?.aborted !== true) this.#outbox.post(text).catch(ignore); // its failure ends the connection
    return answer;
  }

  /** Resolves when the message is on its way, or fewer than 128 wait before it; rejects when the conversation is over. */
  async notify(method: string, params: unknown): Promise<void> {
    if (this.signal.aborted) throw this.#reason().copy();
    await this.#outbox.post(encodeNotification(method, params));
  }

  /** Ends the conversation now; what was accepted for sending is still sent. Resolves when the channel is closed. */
  close(reason: CodemodeError = connectionClosed(), code: number = NORMAL): Promise<void> {
    this.#conclude(reason, code);
    return this.#closing ?? Promise.resolve();
  }

  #reason(): CodemodeError {
    return this.signal.reason as CodemodeError;
  }

  #received(text: string): void {
    if (this.#input.signal.aborted) return;
    let message: RpcMessage;
    try {
      message = parseMessage(text);
    } catch (error) {
      this.#unreadable(error);
      return;
    }
    if (message.kind === 'request' || message.kind === 'notification') {
      this.#inbox.add(message);
      this.#work();
    } else {
      this.#answered(message);
    }
  }

  #unreadable(error: unknown): void {
    if (this.#options.role === 'client') {
      this.#conclude(malformedMessage(error), BROKEN_PROTOCOL);
      return;
    }
    const message = `${this.#channel.complaint}: ${textOf(error)}`;
    this.#outbox.answer(encodeError(MALFORMED_ID, { code: rpcCodes.invalidRequest, message }));
    this.#regulate();
  }

  #answered(message: Extract<RpcMessage, { kind: 'response' | 'error' }>): void {
    const known =
      message.kind === 'response'
        ? this.#calls.resolve(message.id, message.result)
        : this.#calls.refuse(message.id, message.error);
    if (known) return;
    if (this.#options.role === 'server') this.#violated(new RpcViolation(unexpectedResponse(message.id)));
    else if (message.kind === 'error' && message.id === MALFORMED_ID) {
      this.#conclude(complainedAboutUs(message.error.message), BROKEN_PROTOCOL);
    }
  }

  #work(): void {
    while (!this.signal.aborted) {
      const message = this.#inbox.next();
      if (message === undefined) break;
      if (message.kind === 'request') this.#start(message);
      else if (!this.#notified(message.method, message.params)) break;
    }
    this.#regulate();
    this.#finishIfIdle();
  }

  #notified(method: string, params: unknown): boolean {
    try {
      this.#handler.notification(method, params);
      return true;
    } catch (error) {
      this.#violated(error instanceof Error ? error : new Error(textOf(error)));
      return false;
    }
  }

  #start(request: RpcRequest): void {
    const after: (() => void)[] = [];
    const context: RequestContext = {
      signal: this.#deaf.signal,
      inputEnded: this.#input.signal,
      afterResponse: (then) => after.push(then),
    };
    this.#answer(request, context)
      .then((text) => {
        this.#outbox.answer(text);
        for (const then of after) then();
      })
      .catch((error: unknown) =>
        this.#conclude(violation(error instanceof Error ? error : new Error(textOf(error))), 1011),
      )
      .finally(() => {
        this.#inbox.done();
        this.#work();
      });
  }

  async #answer({ id, method, params }: RpcRequest, context: RequestContext): Promise<string> {
    try {
      return encodeResult(id, await this.#handler.request(method, params, context));
    } catch (error) {
      if (error instanceof RpcError) return encodeError(id, error.toJSON());
      return encodeError(id, { code: rpcCodes.internal, message: textOf(error) });
    }
  }

  /** Reads on, or not: a peer that sends and does not read must not fill our memory. */
  #regulate(): void {
    const full =
      this.#outbox.waitingAnswers >= MAX_QUEUED_MESSAGES ||
      this.#inbox.waiting >= MAX_QUEUED_MESSAGES ||
      this.#inbox.running >= MAX_RUNNING_REQUESTS;
    if (full === this.#paused) return;
    this.#paused = full;
    if (full) this.#channel.pause();
    else this.#channel.resume();
  }

  #outboxChanged(failure: Error | undefined): void {
    if (failure === undefined) {
      this.#regulate();
      this.#finishIfIdle();
      return;
    }
    // The channel tells of its end too, and knows more about it.
    this.#deaf.abort(failure);
    this.#finishIfIdle();
  }

  #violated(error: Error): void {
    this.#inbox.clear();
    if (this.#options.role === 'client') this.#conclude(violation(error), BROKEN_PROTOCOL);
    else this.#endInput(violation(error), BROKEN_PROTOCOL);
  }

  #ended(end: ChannelEnd): void {
    if (this.#options.role === 'client') {
      this.#conclude(end.reason ?? peerEndedStream(), NORMAL);
      return;
    }
    if (!end.writable) {
      this.#outbox.stop(end.reason ?? peerEndedStream());
      this.#inbox.openUp();
      this.#work();
      this.#deaf.abort(end.reason ?? peerEndedStream());
    }
    this.#endInput(end.reason, NORMAL);
  }

  /** What came before goes on for a while, so that nothing is lost that was received; then it is over. */
  #endInput(reason: CodemodeError | undefined, code: number): void {
    if (this.#finish !== undefined || this.#closing !== undefined) return;
    const stopTimer = startTimer(this.#options.drainLimitMs ?? DRAIN_LIMIT_MS, () => this.#conclude(reason, code));
    this.#finish = { reason, code, stopTimer };
    this.#input.abort(reason ?? peerEndedStream());
    this.#work();
  }

  #finishIfIdle(): void {
    if (this.#finish === undefined || this.#inbox.running > 0 || this.#inbox.waiting > 0 || !this.#outbox.idle) return;
    this.#conclude(this.#finish.reason, this.#finish.code);
  }

  #conclude(reason: CodemodeError | undefined, code: number): void {
    if (this.#closing !== undefined) return;
    this.#finish?.stopTimer();
    const shown = reason ?? peerEndedStream();
    this.#inbox.clear();
    this.#closing = this.#channel.close(code, reason === undefined ? '' : textOf(reason));
    this.#closing.catch(ignore);
    for (const controller of [this.#input, this.#deaf, this.#life]) controller.abort(shown);
    this.#calls.rejectAll(shown);
    this.#outbox.stop(shown);
    this.#handler.closed(reason);
  }
}

const ignore = (): void => undefined;
