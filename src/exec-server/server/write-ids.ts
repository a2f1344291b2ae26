import { REMEMBERED_WRITE_IDS } from '../wire/index.js';

/** The latest ids of accepted writes: a client that was cut off sends the same write again, and it must count once. */
export class WriteIds {
  readonly #ids = new Set<string>();

  /** False when it was there already. */
  add(id: string): boolean {
    if (this.#ids.has(id)) return false;
    this.#ids.add(id);
    if (this.#ids.size > REMEMBERED_WRITE_IDS) {
      for (const oldest of this.#ids) {
        this.#ids.delete(oldest);
        break;
      }
    }
    return true;
  }
}
