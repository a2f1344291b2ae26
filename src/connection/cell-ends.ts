import type { DelegateCalls } from './delegate-calls.js';
import type { SessionRecord } from './tables.js';

/** Tells delegates that cells are over: exactly once for each, whatever ended it, and never waiting for their work. */
export class CellEnds {
  readonly #calls: DelegateCalls;

  constructor(calls: DelegateCalls) {
    this.#calls = calls;
  }

  /** False when the session has no such live cell. */
  cellEnded(record: SessionRecord, hostId: string): boolean {
    const publicId = record.cells.get(hostId);
    if (publicId === undefined) return false;
    record.cells.delete(hostId);
    this.#calls.revokeWhere(record.id, hostId);
    try {
      record.delegate.cellClosed?.(publicId);
    } catch {
      // The owner's trouble; the other cells have to be told all the same.
    }
    return true;
  }

  sessionEnded(record: SessionRecord): void {
    this.#calls.revokeWhere(record.id);
    for (const hostId of [...record.cells.keys()]) this.cellEnded(record, hostId);
  }
}
