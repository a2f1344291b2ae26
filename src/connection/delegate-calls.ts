import type { CodemodeError } from '../errors.js';
import type { DelegateRequest, DelegateValue, Id, Outcome } from '../protocol/index.js';
import { REMEMBERED_IDS } from '../protocol/index.js';
import type { Delegate } from './delegate.js';
import { callRevoked, delegateFailed, silentErrorText, unshowableText } from './messages.js';
import type { CellRef } from './tables.js';

interface Call {
  readonly id: Id;
  readonly sessionId: string;
  readonly hostCell: string;
  readonly abort: AbortController;
}

/** How a delegate's work ended: with a value, or with a line that says why not. */
export type Finished = (id: Id, outcome: Outcome<DelegateValue>) => void;

/** The host's calls of our tools that are under way, and the ids that it may not use again. */
export class DelegateCalls {
  readonly #limit: number;
  readonly #finished: Finished;
  readonly #calls = new Map<Id, Call>();
  readonly #seen = new Set<Id>();
  /** Per cell, the end of its last notification. */
  readonly #lastNotification = new Map<string, Promise<void>>();

  constructor(limit: number, finished: Finished) {
    this.#limit = limit;
    this.#finished = finished;
  }

  get limit(): number {
    return this.#limit;
  }

  get full(): boolean {
    return this.#calls.size >= this.#limit;
  }

  isKnown(id: Id): boolean {
    return this.#calls.has(id) || this.#seen.has(id);
  }

  /** Notes an id; the oldest of too many is forgotten. */
  remember(id: Id): void {
    this.#seen.add(id);
    if (this.#seen.size <= REMEMBERED_IDS) return;
    const [oldest] = this.#seen;
    if (oldest !== undefined) this.#seen.delete(oldest);
  }

  /** Starts the delegate's work at once, in the order of arrival; only notifications of one cell wait for each other. */
  start(id: Id, sessionId: string, delegate: Delegate, cell: CellRef, request: DelegateRequest): void {
    const call: Call = { id, sessionId, hostCell: cell.hostId, abort: new AbortController() };
    this.#calls.set(id, call);
    const settle = (outcome: Outcome<DelegateValue>) => {
      if (this.#calls.get(id) !== call) return; // revoked: nobody wants it
      this.#calls.delete(id);
      this.#finished(id, outcome);
    };
    const fail = (error: unknown) => settle({ status: 'error', message: failureText(error) });
    const signal = call.abort.signal;
    if (request.type === 'tool/invoke') {
      const { invocation } = request;
      attempt(() =>
        delegate.invokeTool(
          {
            cellId: cell.publicId,
            callId: invocation.runtime_tool_call_id,
            name: invocation.tool_name.name,
            namespace: invocation.tool_name.namespace ?? null,
            kind: invocation.tool_kind,
            input: invocation.input,
          },
          { signal },
        ),
      ).then((result) => settle({ status: 'ok', value: { type: 'tool/result', result } }), fail);
      return;
    }
    const notification = { cellId: cell.publicId, callId: request.callId, text: request.text };
    this.#inOrder(call, () => (signal.aborted ? undefined : delegate.notify?.(notification, { signal }))).then(
      () => settle({ status: 'ok', value: { type: 'notification/delivered' } }),
      fail,
    );
  }

  /** Forgets a call before telling its delegate, so that nothing waits for it and no late answer is sent. */
  revoke(id: Id, reason: CodemodeError = callRevoked()): void {
    const call = this.#calls.get(id);
    if (call === undefined) return;
    this.#calls.delete(id);
    call.abort.abort(reason);
  }

  revokeWhere(sessionId: string, hostCell?: string): void {
    for (const call of [...this.#calls.values()]) {
      if (call.sessionId === sessionId && (hostCell === undefined || call.hostCell === hostCell)) this.revoke(call.id);
    }
  }

  revokeAll(reason: CodemodeError): void {
    for (const id of [...this.#calls.keys()]) this.revoke(id, reason);
  }

  #inOrder(call: Call, work: () => unknown): Promise<void> {
    const key = JSON.stringify([call.sessionId, call.hostCell]);
    const before = this.#lastNotification.get(key);
    const mine = (before === undefined ? attempt(work) : before.then(work)).then(() => undefined);
    const ended = mine
      .catch(() => undefined)
      .then(() => {
        if (this.#lastNotification.get(key) === ended) this.#lastNotification.delete(key);
      });
    this.#lastNotification.set(key, ended);
    return mine;
  }
}

/** Calls at once, and turns a throw into a rejection. */
function attempt(work: () => unknown): Promise<unknown> {
  try {
    return Promise.resolve(work());
  } catch (error) {
    return Promise.reject(error);
  }
}

/** Anything can be thrown: no error, an error without a text, or something that itself throws when it is looked at. */
function failureText(error: unknown): string {
  try {
    if (!(error instanceof Error)) return typeof error === 'string' ? error : delegateFailed(String(error));
    const said: readonly unknown[] = [error.message, error.name];
    const text = said.find((one) => typeof one === 'string' && one !== '');
    return typeof text === 'string' ? text : delegateFailed(silentErrorText);
  } catch {
    return delegateFailed(unshowableText);
  }
}
