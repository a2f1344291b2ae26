import type { DelegateValue, Outcome } from '../protocol/message.js';

/** What a cell does with the answer to one of its calls. */
export interface DelegateCall {
  answered(result: Outcome<DelegateValue>): void;
}

/** The connection's unanswered delegate calls. Ids start at 1 and grow over the whole connection. */
export class Delegates {
  readonly #calls = new Map<number, DelegateCall>();
  readonly #limit: number;
  readonly #waiting: (() => void)[] = [];
  #lastId = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get full(): boolean {
    return this.#calls.size >= this.#limit;
  }

  /** The id stays used even when the request cannot be sent. */
  nextId(): number {
    return ++this.#lastId;
  }

  add(id: number, call: DelegateCall): void {
    this.#calls.set(id, call);
  }

  /** Calls `next` once there is room again; in the order in which it was asked. */
  whenRoom(next: () => void): void {
    this.#waiting.push(next);
  }

  remove(id: number): void {
    this.#calls.delete(id);
    this.#letIn();
  }

  /** Unknown, repeated and late answers are ignored. */
  answer(id: number | bigint, result: Outcome<DelegateValue>): void {
    const call = this.#calls.get(Number(id));
    if (call === undefined) return;
    this.#calls.delete(Number(id));
    call.answered(result);
    this.#letIn();
  }

  #letIn(): void {
    while (!this.full) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      next();
    }
  }
}
