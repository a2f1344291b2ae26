import { startTimer } from '../../waiting/timer.js';
import type { MessageChannel } from './message-channel.js';

/** Waits as long as something moves: `limitMs` milliseconds after the last movement it calls `over`, once. */
export class Patience {
  readonly #limitMs: number;
  readonly #over: () => void;
  readonly #moves: () => boolean;
  #stopTimer: (() => void) | undefined;
  #lastMove = 0;

  /** `moves` is asked at the end: whether something has moved of which nobody told. */
  constructor(limitMs: number, over: () => void, moves: () => boolean) {
    this.#limitMs = limitMs;
    this.#over = over;
    this.#moves = moves;
  }

  /** Begins to wait, unless it does already. */
  start(): void {
    if (this.#stopTimer !== undefined) return;
    this.#moves();
    this.moved();
    this.#wait(this.#limitMs);
  }

  moved(): void {
    this.#lastMove = performance.now();
  }

  stop(): void {
    this.#stopTimer?.();
    this.#stopTimer = undefined;
  }

  #wait(ms: number): void {
    this.#stopTimer = startTimer(ms, () => {
      this.#stopTimer = undefined;
      if (this.#moves()) this.moved();
      const left = this.#lastMove + this.#limitMs - performance.now();
      if (left > 0) this.#wait(left);
      else this.#over();
    });
  }
}

/** Whether the peer has taken some of what was sent since it was last asked. */
export function flowOf(channel: MessageChannel): () => boolean {
  let before = 0;
  return () => {
    const now = channel.unsentBytes ?? 0;
    const flows = now < before;
    before = now;
    return flows;
  };
}
