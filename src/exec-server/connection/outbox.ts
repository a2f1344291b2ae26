import { type OutgoingMessage, sizeOf } from '../wire/encoded-result.js';
import { MAX_QUEUED_MESSAGES } from '../wire/limits.js';
import type { AnswerClaim } from './answer-budget.js';
import type { MessageChannel } from './message-channel.js';

interface Waiting {
  /** Made when it has its turn: a message takes more memory than what it tells. */
  readonly text: () => string;
  accept?: (() => void) | undefined;
  refuse?: ((reason: Error) => void) | undefined;
}

export interface OutboxEvents {
  /** The transport has taken a message. */
  moved(): void;
  /** The outbox ran empty, or broke. */
  changed(failure: Error | undefined): void;
}

/**
 * What waits for the transport, in two lanes. Answers go first, so that output which nobody reads never delays them; in
 * a lane the order is kept. How many answers wait is for the reader to look at: it stops reading.
 */
export class Outbox {
  readonly #channel: MessageChannel;
  readonly #events: OutboxEvents;
  readonly #answers: { readonly message: OutgoingMessage; readonly claim: AnswerClaim }[] = [];
  readonly #others: Waiting[] = [];
  #sending = false;
  #stopped: Error | undefined;

  constructor(channel: MessageChannel, events: OutboxEvents) {
    this.#channel = channel;
    this.#events = events;
  }

  get waitingAnswers(): number {
    return this.#answers.length;
  }

  get idle(): boolean {
    return !this.#sending && this.#answers.length === 0 && this.#others.length === 0;
  }

  /** The claim is released when the transport has taken the answer. */
  answer(message: OutgoingMessage, claim: AnswerClaim): void {
    claim.settle(sizeOf(message));
    if (this.#stopped !== undefined) {
      claim.release();
      return;
    }
    this.#answers.push({ message, claim });
    this.#pump();
  }

  /** Resolves as soon as fewer than 128 messages wait before it. `text` is called when it is sent, and must not throw. */
  post(text: () => string): Promise<void> {
    if (this.#stopped !== undefined) return Promise.reject(this.#stopped);
    const entry: Waiting = { text };
    this.#others.push(entry);
    this.#pump();
    if (this.#others.length <= MAX_QUEUED_MESSAGES) return Promise.resolve();
    return new Promise((accept, refuse) => {
      entry.accept = accept;
      entry.refuse = refuse;
    });
  }

  stop(reason: Error): void {
    if (this.#stopped !== undefined) return;
    this.#stopped = reason;
    for (const { claim } of this.#answers.splice(0)) claim.release();
    for (const entry of this.#others.splice(0)) entry.refuse?.(reason);
  }

  #pump(): void {
    if (this.#sending) return;
    this.#sending = true;
    this.#run().then(
      () => this.#rest(undefined),
      (error: Error) => this.#rest(error),
    );
  }

  async #run(): Promise<void> {
    for (;;) {
      const answer = this.#answers.shift();
      if (answer !== undefined) {
        await this.#channel.send(answer.message).finally(() => answer.claim.release());
        this.#events.moved();
        continue;
      }
      const next = this.#others.shift();
      if (next === undefined) return;
      next.accept?.();
      this.#others[MAX_QUEUED_MESSAGES - 1]?.accept?.();
      await this.#channel.send(next.text());
      this.#events.moved();
    }
  }

  #rest(failure: Error | undefined): void {
    this.#sending = false;
    if (failure !== undefined) this.stop(failure);
    else if (this.#answers.length > 0 || this.#others.length > 0) {
      // Posted between the last look and now.
      this.#pump();
      return;
    }
    this.#events.changed(failure);
  }
}
