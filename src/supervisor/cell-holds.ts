import type { Delegate, Hold } from '../connection/delegate.js';
import { onAbort } from '../waiting/on-abort.js';
import { holdTooLate } from './messages.js';

/** Told when a cell's clock has to stand still, and when it goes on. */
type Listener = (held: boolean) => void;

interface Held {
  open: number;
  readonly listeners: Set<Listener>;
}

/** Delegates that sessions of this process were given, each at one host. */
let wrapped = 0;

/** Which cells of a session are held: somebody asked that their time limit should wait. */
export class CellHolds {
  readonly #cells = new Map<string, Held>();

  /** Cells that are held or watched. */
  get size(): number {
    return this.#cells.size;
  }

  /** Tells the listener now if the cell is held, and of every change from then on. Gives back a function that ends that. */
  watch(cellId: string, listener: Listener): () => void {
    const cell = this.#cell(cellId);
    cell.listeners.add(listener);
    if (cell.open > 0) listener(true);
    return () => {
      cell.listeners.delete(listener);
      this.#forgetIfIdle(cellId, cell);
    };
  }

  /**
   * Calls may hold a cell at the same time: its clock goes on when the last of them is done. A hold ends with the first
   * of the signals.
   */
  hold(cellId: string, ...signals: readonly AbortSignal[]): Hold {
    return (work) => {
      const held = this.#held(cellId, work, signals);
      held.catch(() => undefined);
      return held;
    };
  }

  /** The delegate as a connection wants it, for a session that is called `sessionId` there. */
  wrap(delegate: Delegate, sessionId: string): Delegate {
    wrapped += 1;
    const context = { sessionId, sessionKey: String(wrapped) };
    return {
      invokeTool: async (call, { signal }) => {
        // A delegate may leave a hold behind that never ends: the cell would have no time limit any more.
        const answered = new AbortController();
        const hold = this.hold(call.cellId, signal, answered.signal);
        try {
          return await delegate.invokeTool(call, { signal, hold, ...context });
        } finally {
          answered.abort(holdTooLate());
        }
      },
      notify: (notification, more) => delegate.notify?.(notification, more),
      cellClosed: (cellId) => delegate.cellClosed?.(cellId, context),
    };
  }

  async #held<T>(cellId: string, work: () => Promise<T>, signals: readonly AbortSignal[]): Promise<T> {
    for (const signal of signals) signal.throwIfAborted();
    const release = this.#open(cellId);
    let stopListening: readonly (() => void)[] = [];
    const aborted = new Promise<never>((_, reject) => {
      stopListening = signals.map((signal) =>
        onAbort(signal, () => {
          release();
          reject(signal.reason);
        }),
      );
    });
    try {
      return await Promise.race([work(), aborted]);
    } finally {
      for (const stop of stopListening) stop();
      release();
    }
  }

  #open(cellId: string): () => void {
    const cell = this.#cell(cellId);
    cell.open += 1;
    if (cell.open === 1) for (const listener of cell.listeners) listener(true);
    let open = true;
    return () => {
      if (!open) return;
      open = false;
      cell.open -= 1;
      if (cell.open === 0) for (const listener of cell.listeners) listener(false);
      this.#forgetIfIdle(cellId, cell);
    };
  }

  #cell(cellId: string): Held {
    const known = this.#cells.get(cellId);
    if (known !== undefined) return known;
    const cell: Held = { open: 0, listeners: new Set() };
    this.#cells.set(cellId, cell);
    return cell;
  }

  #forgetIfIdle(cellId: string, cell: Held): void {
    if (cell.open === 0 && cell.listeners.size === 0 && this.#cells.get(cellId) === cell) this.#cells.delete(cellId);
  }
}
