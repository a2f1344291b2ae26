import { MAX_QUEUED_MESSAGES } from '../wire/limits.js';
import type { MessageChannel } from './message-channel.js';

interface Waiting {
  readonly text: string;
  accept?: (() => void) | undefined;
  refuse?: ((reason: Error) => void) | undefined;
}

/**
 * What waits for the transport, in two lanes. Answers go first, so that output which nobody reads never delays them; in
 * a lane the order is kept. How many answers wait is for the reader to look at: it stops reading.
 */
export class Outbox {
  readonly #channel: MessageChannel;
  readonly #changed: (failure: Error | undefined) => void;
  readonly #answers: Waiting[] = [];
  readonly #others: Waiting[] = [];
  #sending = false;
  #stopped: Error | undefined;

  /** `changed` is called whenever the outbox ran empty, or broke. */
  constructor(channel: MessageChannel, changed: (failure: Error | undefined) => void) {
    this.#channel = channel;
    this.#changed = changed;
  }

  get waitingAnswers(): number {
    return this.#answers.length;
  }

  get idle(): boolean {
    return !this.#sending && this.#answers.length === 0 && this.#others.length === 0;
  }

  answer(text: string): void {
    if (this.#stopped !== undefined) return;
    this.#answers.push({ text });
    this.#pump();
  }

  /** Resolves as soon as fewer than 128 messages wait before it. */
  post(text: string): Promise<void> {
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
    this.#answers.length = 0;
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
      const next = this.#answers.shift() ?? this.#others.shift();
      if (next === undefined) return;
      next.accept?.();
      this.#others[MAX_QUEUED_MESSAGES - 1]?.accept?.();
      await this.#channel.send(next.text);
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
    this.#changed(failure);
  }
}
