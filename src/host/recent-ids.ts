/** Remembers the last `capacity` ids that were added, oldest forgotten first. */
export class RecentIds<T> {
  readonly #capacity: number;
  readonly #ids = new Set<T>();

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  has(id: T): boolean {
    return this.#ids.has(id);
  }

  add(id: T): void {
    this.#ids.add(id);
    if (this.#ids.size <= this.#capacity) return;
    for (const oldest of this.#ids) {
      this.#ids.delete(oldest);
      return;
    }
  }
}
