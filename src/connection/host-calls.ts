import { CodemodeError } from '../errors.js';
import { type DelegateValue, type HostMessage, type Id, MAX_DELEGATE_CALLS, type Outcome } from '../protocol/index.js';
import { plainValue } from '../protocol/plain-value.js';
import type { DelegateCalls } from './delegate-calls.js';
import * as say from './messages.js';
import type { Tables } from './tables.js';
import type { Outlet } from './writer.js';

type Request = Extract<HostMessage, { type: 'delegate/request' }>;

/** The host calls our tools: which calls are started, held back, or refused, and how they are answered. */
export class HostCalls {
  readonly #tables: Tables;
  readonly #calls: DelegateCalls;
  readonly #outlet: Outlet;
  readonly #bytes: 'keep' | 'base64';
  /** Calls that came before the answer to the execute that starts their cell. */
  #early: Request[] = [];

  constructor(tables: Tables, calls: DelegateCalls, outlet: Outlet, bytes: 'keep' | 'base64') {
    this.#tables = tables;
    this.#calls = calls;
    this.#outlet = outlet;
    this.#bytes = bytes;
  }

  request(message: Request): void {
    const { id, sessionId, request } = message;
    const cellId = request.type === 'tool/invoke' ? request.invocation.cell_id : request.cellId;
    const record = this.#tables.sessions.get(sessionId);
    const publicId = record?.cells.get(cellId);
    if (record !== undefined && publicId === undefined && record.executesPending > 0) {
      if (this.#early.length >= MAX_DELEGATE_CALLS) throw say.tooManyEarly();
      this.#early.push(message);
      return;
    }
    if (record === undefined) this.#refuse(id, say.unknownDelegateSession(sessionId));
    else if (publicId === undefined) this.#refuse(id, say.unknownCell(cellId, sessionId));
    else {
      if (this.#calls.isKnown(id)) throw say.duplicateDelegate(id);
      this.#calls.remember(id);
      if (this.#calls.full) this.#refuse(id, say.tooManyCalls(this.#calls.limit));
      else this.#calls.start(id, sessionId, record.delegate, { hostId: cellId, publicId }, request);
    }
  }

  /** The host wants no answer: none is sent, not even a late one. */
  cancel(id: Id): void {
    const held = this.#early.findIndex((message) => message.id === id);
    if (held >= 0) this.#early.splice(held, 1);
    else this.#calls.revoke(id);
  }

  /** Looks at the early calls again, in order; those that still have to wait keep their places. */
  startEarly(): void {
    if (this.#early.length === 0) return;
    const messages = this.#early;
    this.#early = [];
    for (const message of messages) this.request(message);
  }

  answer(id: Id, outcome: Outcome<DelegateValue>): void {
    this.#outlet.send(this.#frame(id, outcome), 'answer');
  }

  forgetEarly(): void {
    this.#early = [];
  }

  #refuse(id: Id, message: string): void {
    this.answer(id, { status: 'error', message });
  }

  /** What does not fit, or cannot be written down at all, becomes an error answer: the cell waits for one. */
  #frame(id: Id, outcome: Outcome<DelegateValue>): readonly Uint8Array[] {
    try {
      return this.#encode(id, this.#plain(outcome));
    } catch (error) {
      const tooLong = error instanceof CodemodeError && error.code === 'frame-too-large';
      const message = tooLong ? say.answerTooLong(error) : say.errorText(error);
      return this.#encode(id, { status: 'error', message });
    }
  }

  #plain(outcome: Outcome<DelegateValue>): Outcome<DelegateValue> {
    if (outcome.status === 'error' || outcome.value.type !== 'tool/result') return outcome;
    return { status: 'ok', value: { type: 'tool/result', result: plainValue(outcome.value.result, this.#bytes) } };
  }

  #encode(id: Id, result: Outcome<DelegateValue>): readonly Uint8Array[] {
    return this.#outlet.encode({ type: 'delegate/response', id, result });
  }
}
