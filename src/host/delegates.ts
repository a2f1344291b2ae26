import type { DelegateValue, Outcome } from '../protocol/message.js';

/** What a cell does with the answer to one of its calls. */
export interface DelegateCall {
  answered(result: Outcome<DelegateValue>): void;
}

/** The connection's unanswered delegate calls. Ids start at 1 and grow over the whole connection. */
export class Delegates {
  readonly #calls = new Map<number, DelegateCall>();
  readonly #limit: number;
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

  remove(id: number): void {
    this.#calls.delete(id);
  }

  /** Unknown, repeated and late answers are ignored. */
  answer(id: number | bigint, result: Outcome<DelegateValue>): void {
    const call = this.#calls.get(Number(id));
    if (call === undefined) return;
    this.#calls.delete(Number(id));
    call.answered(result);
  }
}
