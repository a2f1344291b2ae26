/** Who wants to know when something moves; each is told once. */
export class Waiters {
  readonly #waiting = new Set<() => void>();

  /** Gives back a function that takes it out again. */
  add(then: () => void): () => void {
    const entry = (): void => then();
    this.#waiting.add(entry);
    return () => this.#waiting.delete(entry);
  }

  get size(): number {
    return this.#waiting.size;
  }

  wake(): void {
    const woken = [...this.#waiting];
    this.#waiting.clear();
    for (const then of woken) then();
  }
}
