import type { ListedTool } from './tool-list.js';
import { within } from './within.js';

export interface RefreshedListOptions {
  readonly read: () => Promise<ListedTool[]>;
  /** The list that is different from the one before. */
  readonly changed: (list: readonly ListedTool[]) => void;
  /** The list could not be read; the one before stays. */
  readonly failed: (error: unknown) => void;
}

/** A list of tools that is read again, one reading at a time, whenever its server says that it has changed. */
export class RefreshedList {
  readonly #options: RefreshedListOptions;
  #text: string;
  #stale = false;
  #reading: Promise<void> | undefined;
  #changed = false;

  constructor(first: readonly ListedTool[], options: RefreshedListOptions) {
    this.#text = JSON.stringify(first);
    this.#options = options;
  }

  announce(): void {
    this.#stale = true;
    this.#reading ??= this.#read();
  }

  /** Waits, no longer than the limit, for readings that go on; true when the list has changed since the last call. */
  async settled(limitMs: number): Promise<boolean> {
    if (this.#reading !== undefined) await within(this.#reading, limitMs, undefined);
    const changed = this.#changed;
    this.#changed = false;
    return changed;
  }

  async #read(): Promise<void> {
    while (this.#stale) {
      this.#stale = false;
      try {
        const list = await this.#options.read();
        const text = JSON.stringify(list);
        if (text === this.#text) continue;
        this.#text = text;
        this.#changed = true;
        this.#options.changed(list);
      } catch (error) {
        this.#options.failed(error);
      }
    }
    this.#reading = undefined;
  }
}
