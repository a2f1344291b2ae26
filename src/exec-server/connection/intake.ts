import {
  MAX_HELD_REQUEST_BYTES,
  MAX_HELD_REQUESTS,
  MAX_QUEUED_ANSWERS,
  MAX_QUEUED_MESSAGES,
  MAX_RUNNING_REQUESTS,
  STALL_LIMIT_MS,
} from '../wire/limits.js';
import type { RpcRequest } from '../wire/rpc-message.js';
import type { AnswerBudget } from './answer-budget.js';
import { type Admission, type Inbound, Inbox, type Passing } from './inbox.js';
import type { MessageChannel } from './message-channel.js';
import type { Outbox } from './outbox.js';
import { flowOf, Patience } from './patience.js';

export interface IntakeOptions {
  readonly channel: MessageChannel;
  readonly outbox: Outbox;
  readonly budget: AnswerBudget;
  /** Requests of the peer under way at once; default: as many as come, up to 1,024. */
  readonly concurrentRequests?: number | undefined;
  /** Which request may start although all places are taken. */
  readonly passing?: Passing | undefined;
  /** How long nothing may move when a peer has sent more than may wait; default: 60,000. */
  readonly stallLimitMs?: number | undefined;
  readonly stalled: (limitMs: number) => void;
}

/**
 * What is let in of what a peer says. Two rules: who does not read its answers gets nothing more to do, but may still end
 * what it has begun; and we read on long after that, so that we hear of it, and of the end of the input.
 */
export class Intake {
  readonly #channel: MessageChannel;
  readonly #outbox: Outbox;
  readonly #budget: AnswerBudget;
  readonly #inbox: Inbox;
  /** Reading has stopped: then a request has to end or to go on, or the peer to take something. */
  readonly #stall: Patience;
  #crowd = new AbortController();
  #paused = false;

  constructor({ channel, outbox, budget, concurrentRequests, passing, stallLimitMs, stalled }: IntakeOptions) {
    this.#channel = channel;
    this.#outbox = outbox;
    this.#budget = budget;
    this.#inbox = new Inbox({ places: concurrentRequests ?? MAX_RUNNING_REQUESTS, passing });
    const limitMs = stallLimitMs ?? STALL_LIMIT_MS;
    this.#stall = new Patience(limitMs, () => stalled(limitMs), flowOf(channel));
  }

  get idle(): boolean {
    return this.#inbox.running === 0 && this.#inbox.waiting === 0;
  }

  /** Fires when others can not begin before something ends. */
  get crowded(): AbortSignal {
    return this.#crowd.signal;
  }

  add(message: Inbound, bytes: number): void {
    this.#inbox.add(message, bytes);
  }

  /** What has its turn now. */
  next(): Inbound | undefined {
    return this.#inbox.next(this.#admission());
  }

  done(request: RpcRequest): void {
    this.#inbox.done(request);
  }

  /** A request has ended, or goes on, or the peer has taken a message. */
  moved(): void {
    this.#stall.moved();
  }

  /** Nobody waits for answers any more: everything that came has its turn at once. */
  openUp(): void {
    this.#inbox.openUp();
  }

  clear(): void {
    this.#inbox.clear();
  }

  /** Nothing more comes. */
  stop(): void {
    this.#inbox.clear();
    this.#stall.stop();
  }

  #admission(): Admission {
    const { waitingAnswers } = this.#outbox;
    if (this.#budget.full || waitingAnswers >= MAX_QUEUED_ANSWERS) return 'none';
    return waitingAnswers >= MAX_QUEUED_MESSAGES ? 'passing' : 'all';
  }

  /** Reads on, or not: what waits must not fill our memory. To be called whenever something has begun or ended. */
  regulate(): void {
    const { waiting, running, bytes } = this.#inbox;
    const full =
      this.#admission() === 'none' || waiting + running >= MAX_HELD_REQUESTS || bytes >= MAX_HELD_REQUEST_BYTES;
    if (full || (waiting > 0 && running >= MAX_RUNNING_REQUESTS)) this.#makeRoom();
    if (full === this.#paused) return;
    this.#paused = full;
    if (full) {
      this.#stall.start();
      this.#channel.pause();
    } else {
      this.#stall.stop();
      this.#channel.resume();
    }
  }

  #makeRoom(): void {
    const crowd = this.#crowd;
    this.#crowd = new AbortController();
    crowd.abort();
  }
}
