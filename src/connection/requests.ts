import type { CodemodeError } from '../errors.js';
import type { SessionRequest } from '../protocol/index.js';
import { unsendable } from './messages.js';
import type { CellRef, Pending, SessionRef, Tables } from './tables.js';
import type { Outlet } from './writer.js';

/** Requests to the host: their ids, the frames, and what is sent when a caller gives up. */
export class Requests {
  readonly #tables: Tables;
  readonly #outlet: Outlet;
  readonly #onCancel: (id: number) => void;
  /** Ids begin with 1 for each connection and are never used twice. */
  #nextId = 1;

  constructor(tables: Tables, outlet: Outlet, onCancel: (id: number) => void) {
    this.#tables = tables;
    this.#outlet = outlet;
    this.#onCancel = onCancel;
  }

  /** Gives back why the request cannot be sent at all; then nothing was sent and the connection is not affected. */
  issue(pending: Pending, request: SessionRequest): CodemodeError | undefined {
    const id = this.#nextId;
    let frame: readonly Uint8Array[];
    try {
      frame = this.#outlet.encode({ type: 'operation/request', id, request });
    } catch (error) {
      const what = pending.kind === 'open' ? 'open-session' : pending.kind === 'execute' ? 'execute' : 'session';
      return unsendable(what, error);
    }
    this.#nextId++;
    this.#tables.pending.set(id, pending);
    // These two cannot be taken back: the effect happens, and the answer is dropped.
    if (pending.kind !== 'terminate' && pending.kind !== 'shutdown') {
      pending.caller?.onCancel(() => this.#onCancel(id));
    }
    this.#outlet.send(frame, 'request');
    return undefined;
  }

  /** The caller of a request has given up: the host is told, once. */
  cancel(id: number): void {
    const pending = this.#tables.pending.get(id);
    if (pending !== undefined) {
      if (pending.cancelSent) return;
      pending.cancelSent = true;
      if (pending.kind === 'wait') this.#tables.retire(pending.session, pending.cell, 1);
      this.#sendCancel(id);
      return;
    }
    const unclaimed = this.#tables.unclaimed.get(id);
    if (unclaimed === undefined) return;
    this.#tables.unclaimed.delete(id);
    this.#sendCancel(id);
    this.abandon(unclaimed.session, unclaimed.cell);
  }

  /** Asks the host to answer those who observe a cell now, with what is there. */
  yield(session: SessionRef, publicCellId: string): void {
    const { pending, initials } = this.#tables;
    const observes = (entry: { readonly session: SessionRef; readonly cell?: CellRef }) =>
      entry.session.id === session.id && entry.cell?.publicId === publicCellId;
    for (const [id, entry] of initials) if (observes(entry)) this.#sendYield(id);
    for (const [id, entry] of pending) {
      if (entry.kind === 'wait' && !entry.cancelSent && observes(entry)) this.#sendYield(id);
    }
  }

  /** Ends a cell that nobody owns. */
  abandon(session: SessionRef, cell: CellRef): void {
    if (this.#tables.sessions.get(session.id)?.phase !== 'ready') return;
    const pending: Pending = { kind: 'terminate', session, cell, caller: undefined, cancelSent: false };
    const failure = this.issue(pending, { method: 'session/terminate', sessionId: session.id, cellId: cell.hostId });
    if (failure !== undefined) throw failure;
  }

  #sendYield(id: number): void {
    this.#outlet.send(this.#outlet.encode({ type: 'operation/yield', id }), 'request');
  }

  #sendCancel(id: number): void {
    this.#outlet.send(this.#outlet.encode({ type: 'operation/cancel', id }), 'request');
  }
}
