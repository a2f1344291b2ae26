import { pauseFor, startTimer } from '../waiting/timer.js';

/**
 * Between the end of a stream and its being taken up again. Doubles while nothing comes of it; a server may ask for more,
 * up to the longest.
 */
const shortestPauseMs = 1_000;
const longestPauseMs = 30_000;
/** A stream that was open for so long was of use, though nothing came: proxies end those that are silent. */
const usefulMs = 10_000;

/** How long a stream may stay open after the answer. Servers should end it at once. */
const lingerMs = 1_000;

/** How often a stream may end, one time after the other, without anything having come of it. */
export const mostFruitless = 20;

/**
 * What belongs to one request over HTTP: its POST, and the streams that take its answer up again. The course without an id
 * is that of the stream on which a server speaks of its own accord.
 */
export class Course {
  readonly id: number | undefined;
  /** The answer came as a stream, or will. */
  streamed = false;
  /** We open its streams from now on, by requests of their own. */
  listening = false;
  /** Of the last event that had an id. A stream for an answer can be taken up again behind it, and not without it. */
  lastEventId: string | undefined;
  /** A result for another request came: the server has given its answer, and there will be no better one. */
  misled = false;
  /** No stream is opened any more. */
  over = false;
  readonly #giving = new AbortController();
  #stopLinger: (() => void) | undefined;
  #fruitless = 0;
  #fruitful = false;
  #openedAt: number | undefined;
  #pauseEnd = 0;
  #retryMs = 0;

  constructor(id: number | undefined) {
    this.id = id;
  }

  /** Ends the requests of the course. */
  get signal(): AbortSignal {
    return this.#giving.signal;
  }

  get exhausted(): boolean {
    return this.#fruitless >= mostFruitless;
  }

  /** Waits until a stream may be opened: a server that ends each at once would have us open them all the time. */
  async turn(): Promise<void> {
    const pauseMs = this.#pauseEnd - performance.now();
    if (pauseMs > 0) await pauseFor(pauseMs, this.signal);
    this.#openedAt = performance.now();
  }

  /** The answer came on its own way. What is left of that is let come, so that the connection serves again. */
  answered(): void {
    this.over = true;
    if (this.streamed) this.#stopLinger ??= startTimer(lingerMs, () => this.giveUp());
  }

  /** Nothing is wanted of it any more. */
  giveUp(): void {
    this.over = true;
    this.#stopLinger?.();
    this.#giving.abort();
  }

  /** A message came. */
  fruitful(): void {
    this.#fruitful = true;
  }

  /** A stream has ended, or could not be opened. `retryMs` is the pause for which the server asked, if it did. */
  ended(retryMs: number | undefined = this.#retryMs): void {
    this.#stopLinger?.();
    const now = performance.now();
    const useful = this.#fruitful || now - (this.#openedAt ?? now) >= usefulMs;
    this.#fruitless = useful ? 0 : this.#fruitless + 1;
    this.#fruitful = false;
    this.#openedAt = undefined;
    this.#retryMs = retryMs;
    const pauseMs = Math.max(shortestPauseMs * 2 ** Math.max(this.#fruitless - 1, 0), retryMs);
    this.#pauseEnd = now + Math.min(pauseMs, longestPauseMs);
  }
}
