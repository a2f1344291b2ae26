import { MAX_SIGNED_32 } from '../../protocol/signed-32.js';

interface Timer {
  readonly id: number;
  readonly deadline: number;
}

/**
 * A cell's timers, fired in the order of their deadlines, one per turn of the event loop, so that all microtasks run
 * in between. Node's own timers would clamp long delays, and stretch 0 to 1 ms.
 */
export class Timers {
  #pending: Timer[] = [];
  /** Timers before this one have fired; taking them off one by one would move all the others each time. */
  #head = 0;
  #timeout: NodeJS.Timeout | undefined;
  #immediate: NodeJS.Immediate | undefined;
  readonly #fire: (id: number) => void;

  constructor(fire: (id: number) => void) {
    this.#fire = fire;
  }

  get size(): number {
    return this.#pending.length - this.#head;
  }

  add(id: number, delayMs: number): void {
    const timer: Timer = { id, deadline: performance.now() + delayMs };
    let at = this.#pending.length;
    while (at > this.#head && (this.#pending[at - 1]?.deadline ?? 0) > timer.deadline) at--;
    this.#pending.splice(at, 0, timer);
    if (at === this.#head) this.#arm();
  }

  remove(id: number): void {
    const at = this.#pending.findIndex((timer, index) => index >= this.#head && timer.id === id);
    if (at < 0) return;
    this.#pending.splice(at, 1);
    if (at === this.#head) this.#arm();
  }

  clear(): void {
    this.#pending = [];
    this.#head = 0;
    this.#arm();
  }

  #arm(): void {
    clearTimeout(this.#timeout);
    clearImmediate(this.#immediate);
    this.#timeout = undefined;
    this.#immediate = undefined;
    const first = this.#pending[this.#head];
    if (first === undefined) return;
    const left = first.deadline - performance.now();
    if (left <= 0) this.#immediate = setImmediate(() => this.#turn());
    else this.#timeout = setTimeout(() => this.#turn(), Math.min(Math.ceil(left), MAX_SIGNED_32));
  }

  #turn(): void {
    const first = this.#pending[this.#head];
    // Node may wake a timer a fraction of a millisecond early; then there is another turn.
    if (first !== undefined && first.deadline <= performance.now()) {
      this.#head++;
      if (this.#head > 1000 && this.#head * 2 > this.#pending.length) {
        this.#pending = this.#pending.slice(this.#head);
        this.#head = 0;
      }
      this.#fire(first.id);
    }
    this.#arm();
  }
}
