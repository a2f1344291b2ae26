import { CodemodeError } from '../errors.js';
import { onAbort } from '../waiting/on-abort.js';
import { notALimitText, tooManyCallsText } from './messages.js';

export const DEFAULT_CALLS_PER_CELL = 10_000;
export const DEFAULT_CALLS_IN_FLIGHT = 256;

/** Cells whose calls are counted at once; of more, the one that has not called for longest begins again at nothing. */
const MOST_CELLS = 4_096;

/** How many calls each cell has made. */
export class CallCounts {
  readonly #limit: number;
  readonly #counts = new Map<string, number>();

  constructor(limit: number) {
    this.#limit = checkedLimit('callsPerCell', limit);
  }

  /** Cells that are known. */
  get size(): number {
    return this.#counts.size;
  }

  /** Throws for the call beyond the limit. */
  add(cell: string, tool: string): void {
    const count = this.#counts.get(cell) ?? 0;
    if (count >= this.#limit) {
      const data = { tool, limit: 'callsPerCell', value: this.#limit };
      throw new CodemodeError('invalid-argument', tooManyCallsText(tool, this.#limit), { data });
    }
    // Taken out first: the order of the map is then that of the latest calls.
    this.#counts.delete(cell);
    this.#counts.set(cell, count + 1);
    if (this.#counts.size <= MOST_CELLS) return;
    const [oldest] = this.#counts.keys();
    if (oldest !== undefined) this.#counts.delete(oldest);
  }

  forget(cell: string): void {
    this.#counts.delete(cell);
  }
}

/** A limited number of places, given in the order of asking. */
export class CallsInFlight {
  readonly #limit: number;
  readonly #waiting = new Set<() => void>();
  #running = 0;

  constructor(limit: number) {
    this.#limit = checkedLimit('callsInFlight', limit);
  }

  get running(): number {
    return this.#running;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /**
   * Resolves with the function that gives the place back. The signal gives it back as well: a handler that goes on when
   * nobody wants its answer must not block the others. Rejects with the signal's reason if that comes first.
   */
  enter(signal: AbortSignal): Promise<() => void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      let inside = false;
      let stopListening = (): void => {};
      const leave = (): void => {
        stopListening();
        if (!inside) return;
        inside = false;
        this.#running -= 1;
        const [next] = this.#waiting;
        next?.();
      };
      const start = (): void => {
        this.#waiting.delete(start);
        inside = true;
        this.#running += 1;
        resolve(leave);
      };
      stopListening = onAbort(signal, () => {
        this.#waiting.delete(start);
        leave();
        reject(signal.reason);
      });
      if (this.#running < this.#limit) start();
      else this.#waiting.add(start);
    });
  }
}

function checkedLimit(name: string, value: unknown): number {
  if (value === Number.POSITIVE_INFINITY || (Number.isInteger(value) && Number(value) >= 1)) return Number(value);
  throw new CodemodeError('invalid-argument', notALimitText(name, value), { data: { limit: name } });
}
