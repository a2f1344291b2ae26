import type { HostMessage, OperationValue } from '../protocol/index.js';
import { Caller } from './caller.js';
import type { CellEnds } from './cell-ends.js';
import { publicCellId } from './cell-id.js';
import * as say from './messages.js';
import { cellOf, type Observation, observe } from './observation.js';
import type { Requests } from './requests.js';
import type { CellRef, Pending, Tables } from './tables.js';

type Of<K extends Pending['kind']> = Extract<Pending, { kind: K }>;
type Response = Extract<HostMessage, { type: 'operation/response' }>;
type InitialResponse = Extract<HostMessage, { type: 'execute/initialResponse' }>;

/**
 * The host's answers to our requests. A request leaves the table only when its answer was found valid: a throw ends the
 * connection, and everything in the table then gets the reason.
 */
export class Responses {
  readonly #tables: Tables;
  readonly #requests: Requests;
  readonly #ends: CellEnds;

  constructor(tables: Tables, requests: Requests, ends: CellEnds) {
    this.#tables = tables;
    this.#requests = requests;
    this.#ends = ends;
  }

  response({ id, result }: Response): void {
    const pending = typeof id === 'number' ? this.#tables.pending.get(id) : undefined;
    if (typeof id !== 'number' || pending === undefined) throw say.unknownRequest(id);
    if (result.status === 'error') {
      // A session that is half closed cannot be trusted, so this failure is everybody's.
      if (pending.kind === 'shutdown') throw say.refusedByHost(result.message);
      this.#forget(id, pending);
      const refusal =
        'cell' in pending
          ? say.refusedOfCell(result.message, pending.cell.publicId)
          : say.refusedByHost(result.message);
      pending.caller?.reject(refusal);
      return;
    }
    switch (pending.kind) {
      case 'open':
        this.#opened(id, pending, result.value);
        return;
      case 'execute':
        this.#started(id, pending, result.value);
        return;
      case 'wait':
      case 'terminate':
        this.#observed(id, pending, result.value);
        return;
      case 'shutdown':
        this.#closed(id, pending, result.value);
        return;
    }
  }

  initial({ id, result }: InitialResponse): void {
    const waiter = typeof id === 'number' ? this.#tables.initials.get(id) : undefined;
    if (typeof id !== 'number' || waiter === undefined) throw say.unknownInitial(id);
    if (result.status === 'error') {
      this.#tables.initials.delete(id);
      waiter.caller.reject(say.refusedOfCell(result.message, waiter.cell.publicId));
      return;
    }
    const cell = cellOf(result.value);
    if (cell !== waiter.cell.hostId) throw say.otherInitial(cell, waiter.cell.hostId);
    this.#tables.initials.delete(id);
    waiter.caller.resolve(observe(result.value, waiter.cell.publicId, false));
  }

  #forget(id: number, pending: Pending): void {
    this.#tables.pending.delete(id);
    if (pending.kind === 'open') this.#tables.opening.delete(pending.session.id);
    if (pending.kind === 'wait' && pending.cancelSent) this.#tables.retire(pending.session, pending.cell, -1);
    if (pending.kind === 'execute') {
      const record = this.#tables.sessions.get(pending.session.id);
      if (record !== undefined) record.executesPending--;
    }
  }

  #opened(id: number, pending: Of<'open'>, value: OperationValue): void {
    const { session, caller } = pending;
    if (value.type !== 'session/ready' || value.sessionId !== session.id) throw say.invalidResponse('open-session');
    this.#forget(id, pending);
    const abandoned = caller.cancelled !== undefined;
    this.#tables.sessions.set(session.id, {
      ...session,
      phase: abandoned ? 'closing' : 'ready',
      cells: new Map(),
      executesPending: 0,
    });
    if (!abandoned) {
      caller.resolve();
      return;
    }
    const failure = this.#requests.issue(
      { kind: 'shutdown', session, caller: undefined, cancelSent: false },
      { method: 'session/shutdown', sessionId: session.id },
    );
    if (failure !== undefined) throw failure;
  }

  #started(id: number, pending: Of<'execute'>, value: OperationValue): void {
    const { session, caller } = pending;
    if (value.type !== 'execution/started') throw say.invalidResponse('execute');
    const record = this.#tables.sessions.get(session.id);
    if (record === undefined) {
      this.#forget(id, pending);
      caller.reject(say.closedDuringExecute());
      return;
    }
    const hostId = value.cellId;
    if (record.cells.has(hostId)) throw say.liveCellReused(hostId, session.id);
    this.#forget(id, pending);
    const cell: CellRef = { hostId, publicId: publicCellId(session.generation, hostId) };
    record.cells.set(hostId, cell.publicId);
    const initial = new Caller<Observation>();
    this.#tables.initials.set(id, { session, cell, caller: initial });
    if (caller.cancelled !== undefined) {
      this.#requests.abandon(session, cell);
      return;
    }
    this.#tables.unclaimed.set(id, { session, cell });
    caller.resolve({ requestId: id, cellId: cell.publicId, initial: initial.promise });
  }

  #observed(id: number, pending: Of<'wait' | 'terminate'>, value: OperationValue): void {
    if (value.type !== 'wait/completed') throw say.invalidResponse('cell');
    const missing = 'MissingCell' in value.outcome;
    const response = 'MissingCell' in value.outcome ? value.outcome.MissingCell : value.outcome.LiveCell;
    const cell = cellOf(response);
    if (cell !== pending.cell.hostId) throw say.otherCell(cell, pending.cell.hostId);
    this.#forget(id, pending);
    pending.caller?.resolve(observe(response, pending.cell.publicId, missing));
  }

  #closed(id: number, pending: Of<'shutdown'>, value: OperationValue): void {
    if (value.type !== 'session/closed' || value.sessionId !== pending.session.id) {
      throw say.invalidResponse('shutdown');
    }
    this.#forget(id, pending);
    const record = this.#tables.sessions.get(pending.session.id);
    this.#tables.sessions.delete(pending.session.id);
    if (record !== undefined) this.#ends.sessionEnded(record);
    this.#giveUpInitials(pending.session.id);
    pending.caller?.resolve();
  }

  /** A host answers every execute before it closes the session. One that does not leaves nobody waiting. */
  #giveUpInitials(sessionId: string): void {
    for (const { session, caller } of this.#tables.initials.values()) {
      if (session.id === sessionId) caller.reject(say.runtimeEnded());
    }
  }
}
