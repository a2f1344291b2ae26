import type { Caller } from './caller.js';
import type { Delegate } from './delegate.js';
import type { Observation } from './observation.js';

/** A session as its owner names it: the id is the host's, the generation the owner's. */
export interface SessionRef {
  readonly id: string;
  readonly generation: number;
}

export interface SessionSeed extends SessionRef {
  readonly delegate: Delegate;
  /** Asks the host to truncate what the session's cells put out; needs `bounded-output-v1`. */
  readonly hostTruncates?: boolean;
}

export interface SessionRecord extends SessionSeed {
  phase: 'ready' | 'closing';
  /** Live cells: the host's id → the public id. */
  readonly cells: Map<string, string>;
  /** Executes that the host has not answered yet, given-up ones included. */
  executesPending: number;
}

export interface CellRef {
  readonly hostId: string;
  readonly publicId: string;
}

/** An execute that the host has admitted. */
export interface StartedCell {
  readonly requestId: number;
  readonly cellId: string;
  readonly initial: Promise<Observation>;
}

/** A request that the host has not answered. It stays here when its caller gave up: the answer is still to come. */
export type Pending =
  | { readonly kind: 'open'; readonly session: SessionSeed; readonly caller: Caller<void>; cancelSent: boolean }
  | {
      readonly kind: 'execute';
      readonly session: SessionRef;
      readonly caller: Caller<StartedCell>;
      cancelSent: boolean;
    }
  | {
      readonly kind: 'wait' | 'terminate';
      readonly session: SessionRef;
      readonly cell: CellRef;
      /** Nobody asked for the end of an abandoned cell. */
      readonly caller: Caller<Observation> | undefined;
      cancelSent: boolean;
    }
  | {
      readonly kind: 'shutdown';
      readonly session: SessionRef;
      readonly caller: Caller<void> | undefined;
      cancelSent: boolean;
    };

/** A cell whose first answer is still to come. Keyed by request, since it may outlive the cell. */
export interface InitialWaiter {
  readonly session: SessionRef;
  readonly cell: CellRef;
  readonly caller: Caller<Observation>;
}

/** An execute that was answered while its caller has not taken the cell yet. */
export interface Unclaimed {
  readonly session: SessionRef;
  readonly cell: CellRef;
}

/** Everything that the driver knows. */
export class Tables {
  readonly pending = new Map<number, Pending>();
  readonly initials = new Map<number, InitialWaiter>();
  readonly unclaimed = new Map<number, Unclaimed>();
  readonly sessions = new Map<string, SessionRecord>();
  /** Ids of sessions that are being opened. */
  readonly opening = new Set<string>();
  /** Waits that were given up and are not answered yet, by session and cell. */
  readonly retiring = new Map<string, number>();

  retire(session: SessionRef, cell: CellRef, change: 1 | -1): void {
    const key = cellKey(session, cell);
    const count = (this.retiring.get(key) ?? 0) + change;
    if (count > 0) this.retiring.set(key, count);
    else this.retiring.delete(key);
  }

  isRetiring(session: SessionRef, cell: CellRef): boolean {
    return this.retiring.has(cellKey(session, cell));
  }
}

function cellKey(session: SessionRef, cell: CellRef): string {
  return JSON.stringify([session.id, cell.hostId]);
}
