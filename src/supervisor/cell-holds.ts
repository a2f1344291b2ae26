import { onAbort } from '../connection/cancellation.js';
import type { Delegate, Hold } from '../connection/delegate.js';

/** Told when a cell's clock has to stand still, and when it goes on. */
type Listener = (held: boolean) => void;

interface Held {
  open: number;
  readonly listeners: Set<Listener>;
}

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

  /** Calls may hold a cell at the same time: its clock goes on when the last of them is done. */
  hold(cellId: string, signal: AbortSignal): Hold {
    return async (work) => {
      signal.throwIfAborted();
      const release = this.#open(cellId);
      let stopListening = (): void => {};
      const aborted = new Promise<never>((_, reject) => {
        stopListening = onAbort(signal, () => {
          release();
          reject(signal.reason);
        });
      });
      try {
        return await Promise.race([work(), aborted]);
      } finally {
        stopListening();
        release();
      }
    };
  }

  /** The delegate as a connection wants it, for a session that is called `sessionId` there. */
  wrap(delegate: Delegate, sessionId: string): Delegate {
    return {
      invokeTool: (call, { signal }) =>
        delegate.invokeTool(call, { signal, hold: this.hold(call.cellId, signal), sessionId }),
      notify: (notification, context) => delegate.notify?.(notification, context),
      cellClosed: (cellId) => delegate.cellClosed?.(cellId, { sessionId }),
    };
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
