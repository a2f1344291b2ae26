import { MAX_HELD_ANSWER_BYTES } from '../wire/limits.js';

interface Waiting {
  readonly bytes: number;
  readonly accept: () => void;
  readonly refuse: (reason: Error) => void;
}

/** One request's share of the budget. */
export interface AnswerClaim {
  /**
   * Resolves when there is room for an answer of about so many bytes, which is then this claim's. Rejects when the
   * connection is over. Once at most, and nothing but the answer may be waited for afterwards.
   */
  reserve(bytes: number): Promise<void>;
  /** What the answer really has. Waits for nothing. */
  settle(bytes: number): void;
  /** The transport has taken the answer, or never will. */
  release(): void;
}

/**
 * How many bytes of answers are made, or being made, that the transport has not taken. Who is about to make a large one
 * asks first, and waits in the order of asking. When nothing is held, any answer may go, however large.
 */
export class AnswerBudget {
  readonly #limit: number;
  readonly #waiting: Waiting[] = [];
  #held = 0;
  #unasked = 0;
  #closed: Error | undefined;

  constructor(limit: number = MAX_HELD_ANSWER_BYTES) {
    this.#limit = limit;
  }

  /** Small answers do not ask. That many of them are no longer small is for the reader to look at: it stops reading. */
  get full(): boolean {
    return this.#unasked >= this.#limit;
  }

  claim(): AnswerClaim {
    let bytes = 0;
    let asked = false;
    const set = (now: number): void => {
      this.#held += now - bytes;
      if (!asked) this.#unasked += now - bytes;
      bytes = now;
    };
    return {
      reserve: async (wanted) => {
        asked = true;
        await this.#room(wanted);
        // It was counted when it was let in.
        bytes = wanted;
      },
      settle: (real) => {
        set(real);
        this.#admit();
      },
      release: () => {
        set(0);
        this.#admit();
      },
    };
  }

  /** Nobody can be answered any more: whoever waits, or asks from now on, hears it. */
  close(reason: Error): void {
    this.#closed ??= reason;
    for (const { refuse } of this.#waiting.splice(0)) refuse(this.#closed);
  }

  #room(bytes: number): Promise<void> {
    if (this.#closed !== undefined) return Promise.reject(this.#closed);
    return new Promise((accept, refuse) => {
      this.#waiting.push({ bytes, accept, refuse });
      this.#admit();
    });
  }

  #admit(): void {
    for (let first = this.#waiting[0]; first !== undefined; first = this.#waiting[0]) {
      if (this.#held > 0 && this.#held + first.bytes > this.#limit) return;
      this.#waiting.shift();
      this.#held += first.bytes;
      first.accept();
    }
  }
}
