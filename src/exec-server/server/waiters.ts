/** Who wants to know when something moves; each is told once. */
export class Waiters {
  #waiting: (() => void)[] = [];

  add(then: () => void): void {
    this.#waiting.push(then);
  }

  wake(): void {
    const woken = this.#waiting;
    this.#waiting = [];
    for (const then of woken) then();
  }
}
