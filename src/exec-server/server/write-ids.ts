import { REMEMBERED_WRITE_IDS } from '../wire/index.js';

/** The latest ids of accepted writes: a client that was cut off sends the same write again, and it must count once. */
export class WriteIds {
  readonly #ids = new Set<string>();

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  add(id: string): void {
    this.#ids.add(id);
    if (this.#ids.size <= REMEMBERED_WRITE_IDS) return;
    for (const oldest of this.#ids) {
      this.#ids.delete(oldest);
      break;
    }
  }
}
