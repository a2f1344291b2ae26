import type { CodemodeError } from '../../errors.js';
import { startTimer } from '../../waiting/timer.js';
import { DRAIN_LIMIT_MS, MAX_ANSWER_VALUES, MAX_MESSAGE_VALUES, WHOLE_DRAIN_LIMIT_MS } from '../wire/limits.js';
import { rpcCodes } from '../wire/rpc-error.js';
import {
  encodeError,
  encodeNotification,
  MALFORMED_ID,
  parseMessage,
  type RpcMessage,
  type RpcRequest,
} from '../wire/rpc-message.js';
import { answerOf } from './answer.js';
import { AnswerBudget } from './answer-budget.js';
import type { Passing } from './inbox.js';
import { Intake } from './intake.js';
import type { ChannelEnd, MessageChannel } from './message-channel.js';
import {
  complainedAboutUs,
  connectionClosed,
  malformedMessage,
  nothingMoves,
  peerEndedStream,
  textOf,
  unexpectedResponse,
  violation,
} from './messages.js';
import { Outbox } from './outbox.js';
import { encodeCall } from './outgoing-call.js';
import { flowOf, Patience } from './patience.js';
import { type CallOptions, PendingCalls } from './pending-calls.js';
import { type AnswerLimits, type RequestContext, type RpcHandler, RpcViolation } from './rpc-handler.js';

export interface RpcConnectionOptions {
  /** A server answers what it cannot read and refuses answers; for a client the first is fatal and the second ignored. */
  readonly role: 'server' | 'client';
  /** Requests of the peer under way at once; default: as many as come, up to 1,024. */
  readonly concurrentRequests?: number | undefined;
  /** Which request may start although all places are taken. */
  readonly passing?: Passing | undefined;
  /** How long requests that came before the end of input may go on without any progress; default: 5,000. */
  readonly drainLimitMs?: number | undefined;
  /** How long nothing may move when a peer has sent more than may wait; default: 60,000. */
  readonly stallLimitMs?: number | undefined;
}

/** The end of the input has come; the rest is still to be answered. */
interface Finish {
  readonly reason: CodemodeError | undefined;
  readonly code: number;
  readonly patience: Patience;
  stopTimer(): void;
}

/** WebSocket close codes; a stream has no use for them. */
const NORMAL = 1000;
const BROKEN_PROTOCOL = 1002;

/** One JSON-RPC conversation over a message channel. It reads from the moment it is made. */
export class RpcConnection {
  readonly #channel: MessageChannel;
  readonly #handler: RpcHandler;
  readonly #options: RpcConnectionOptions;
  readonly #intake: Intake;
  readonly #outbox: Outbox;
  readonly #budget = new AnswerBudget();
  readonly #calls = new PendingCalls();
  readonly #life = new AbortController();
  readonly #input = new AbortController();
  /** Nobody can be answered any more. */
  readonly #deaf = new AbortController();
  #limits: AnswerLimits;
  #nextId = 1;
  #finish: Finish | undefined;
  #closing: Promise<void> | undefined;

  constructor(
    channel: MessageChannel,
    makeHandler: (connection: RpcConnection) => RpcHandler,
    options: RpcConnectionOptions,
  ) {
    this.#channel = channel;
    this.#options = options;
    this.#limits = { bytes: channel.maxSendBytes ?? Number.POSITIVE_INFINITY, values: MAX_MESSAGE_VALUES };
    this.#outbox = new Outbox(channel, {
      moved: () => this.#moved(),
      changed: (failure) => this.#outboxChanged(failure),
    });
    this.#intake = new Intake({
      ...options,
      channel,
      outbox: this.#outbox,
      budget: this.#budget,
      stalled: (limitMs) => this.#conclude(nothingMoves(limitMs), NORMAL),
    });
    this.#handler = makeHandler(this);
    channel.start({ message: (text) => this.#received(text), end: (end) => this.#ended(end) });
  }

  /** Fires when the conversation is over; its reason is a `CodemodeError`. */
  get signal(): AbortSignal {
    return this.#life.signal;
  }

  /** The peer has said what it takes in one answer. */
  limitAnswers(bytes = Number.POSITIVE_INFINITY, values: number = MAX_MESSAGE_VALUES): void {
    this.#limits = { bytes: Math.min(bytes, this.#channel.maxSendBytes ?? bytes), values };
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
    if (options.signal?.aborted !== true) this.#outbox.post(() => text).catch(ignore); // its failure ends the connection
    return answer;
  }

  /**
   * Resolves when the message is on its way, or fewer than 128 wait before it; rejects when the conversation is over.
   * `params` become text when the message is sent.
   */
  async notify(method: string, params: unknown): Promise<void> {
    if (this.signal.aborted) throw this.#reason().copy();
    await this.#outbox.post(() => encodeNotification(method, params));
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
      message = parseMessage(text, this.#options.role === 'client' ? MAX_ANSWER_VALUES : MAX_MESSAGE_VALUES);
    } catch (error) {
      this.#unreadable(error);
      return;
    }
    if (message.kind === 'request' || message.kind === 'notification') {
      this.#intake.add(message, text.length);
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
    this.#outbox.answer(encodeError(MALFORMED_ID, { code: rpcCodes.invalidRequest, message }), this.#budget.claim());
    this.#intake.regulate();
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
      const message = this.#intake.next();
      if (message === undefined) break;
      if (message.kind === 'request') this.#start(message);
      else if (!this.#notified(message.method, message.params)) break;
    }
    this.#intake.regulate();
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
    const claim = this.#budget.claim();
    const context: RequestContext = {
      signal: this.#deaf.signal,
      inputEnded: this.#input.signal,
      crowded: this.#intake.crowded,
      limits: this.#limits,
      reserve: (bytes) => claim.reserve(bytes),
      moved: () => this.#moved(),
      afterResponse: (then) => after.push(then),
    };
    answerOf(request, this.#handler, context)
      .then((message) => {
        this.#outbox.answer(message, claim);
        for (const then of after) then();
      })
      .catch((error: unknown) =>
        this.#conclude(violation(error instanceof Error ? error : new Error(textOf(error))), 1011),
      )
      .finally(() => {
        this.#intake.done(request);
        this.#moved();
        this.#work();
      });
  }

  #moved(): void {
    this.#intake.moved();
    this.#finish?.patience.moved();
  }

  #outboxChanged(failure: Error | undefined): void {
    if (failure === undefined) {
      this.#work();
      return;
    }
    // The channel tells of its end too, and knows more about it.
    this.#budget.close(failure);
    this.#deaf.abort(failure);
    this.#finishIfIdle();
  }

  #violated(error: Error): void {
    this.#intake.clear();
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
      this.#budget.close(end.reason ?? peerEndedStream());
      this.#intake.openUp();
      this.#work();
      this.#deaf.abort(end.reason ?? peerEndedStream());
    }
    this.#endInput(end.reason, NORMAL);
  }

  /** What came before goes on for a while, so that nothing is lost that was received; then it is over. */
  #endInput(reason: CodemodeError | undefined, code: number): void {
    if (this.#finish !== undefined || this.#closing !== undefined) return;
    const over = (): void => this.#conclude(reason, code);
    const patience = new Patience(this.#options.drainLimitMs ?? DRAIN_LIMIT_MS, over, flowOf(this.#channel));
    const stopTimer = startTimer(WHOLE_DRAIN_LIMIT_MS, over);
    this.#finish = { reason, code, patience, stopTimer };
    patience.start();
    this.#input.abort(reason ?? peerEndedStream());
    this.#work();
  }

  #finishIfIdle(): void {
    if (this.#finish === undefined || !this.#intake.idle || !this.#outbox.idle) return;
    this.#conclude(this.#finish.reason, this.#finish.code);
  }

  #conclude(reason: CodemodeError | undefined, code: number): void {
    if (this.#closing !== undefined) return;
    this.#finish?.stopTimer();
    this.#finish?.patience.stop();
    const shown = reason ?? peerEndedStream();
    this.#intake.stop();
    this.#closing = this.#channel.close(code, reason === undefined ? '' : textOf(reason));
    this.#closing.catch(ignore);
    for (const controller of [this.#input, this.#deaf, this.#life]) controller.abort(shown);
    this.#calls.rejectAll(shown);
    this.#outbox.stop(shown);
    this.#budget.close(shown);
    this.#handler.closed(reason);
  }
}

const ignore = (): void => undefined;
