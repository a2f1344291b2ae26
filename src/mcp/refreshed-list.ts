import { within } from '../waiting/within.js';
import type { ListedTool } from './tool-list.js';

export interface RefreshedListOptions {
  readonly read: () => Promise<ListedTool[]>;
  /** The list that is different from the one before. */
  readonly changed: (list: readonly ListedTool[]) => void;
  /** The list could not be read; the one before stays. */
  readonly failed: (error: unknown) => void;
}

/** Between one reading and the next, unless somebody waits for it. Doubles from reading to reading, until it is quiet. */
const shortestPauseMs = 100;
const longestPauseMs = 10_000;

/** A list of tools that is read again, one reading at a time, when its server has said that it has changed. */
export class RefreshedList {
  readonly #options: RefreshedListOptions;
  #text: string | undefined;
  /** How often a change was announced, and how many of these announcements a reading has come after. */
  #announced = 0;
  #covered = 0;
  #reading: Promise<void> | undefined;
  #pause: NodeJS.Timeout | undefined;
  #pauseMs = shortestPauseMs;
  #changed = false;
  #stopped = false;

  constructor(first: readonly ListedTool[], options: RefreshedListOptions) {
    this.#text = textOf(first);
    this.#options = options;
  }

  announce(): void {
    this.#announced += 1;
    if (this.#pause === undefined) void this.#read();
  }

  /**
   * Waits, no longer than the limit, until the list is one that was asked for after everything announced so far: what is
   * announced in the meantime is for the next call. True when the list has changed since the last call.
   */
  async settled(limitMs: number): Promise<boolean> {
    await within(this.#cover(this.#announced), limitMs, undefined);
    const changed = this.#changed;
    this.#changed = false;
    return changed;
  }

  /** Nothing is read any more. */
  stop(): void {
    this.#stopped = true;
    this.#endPause();
  }

  async #cover(announced: number): Promise<void> {
    while (this.#covered < announced && !this.#stopped) await this.#read();
  }

  /** The reading that goes on, or else a new one. */
  async #read(): Promise<void> {
    if (this.#stopped) return;
    this.#endPause();
    this.#reading ??= this.#readOnce();
    await this.#reading;
  }

  async #readOnce(): Promise<void> {
    const covers = this.#announced;
    try {
      const list = await this.#options.read();
      const text = textOf(list);
      if (text === undefined || text !== this.#text) {
        this.#text = text;
        this.#changed = true;
        this.#options.changed(list);
      }
    } catch (error) {
      this.#options.failed(error);
    }
    this.#covered = covers;
    this.#reading = undefined;
    if (!this.#stopped) this.#startPause();
  }

  #startPause(): void {
    this.#pause = setTimeout(() => {
      this.#pause = undefined;
      if (this.#covered < this.#announced) void this.#read();
      else this.#pauseMs = shortestPauseMs;
    }, this.#pauseMs);
    this.#pauseMs = Math.min(2 * this.#pauseMs, longestPauseMs);
  }

  #endPause(): void {
    clearTimeout(this.#pause);
    this.#pause = undefined;
  }
}

/** Undefined for one that is too long for a string, or nested too deeply: it counts as changed. */
function textOf(list: readonly ListedTool[]): string | undefined {
  try {
    return JSON.stringify(list);
  } catch {
    return undefined;
  }
}
