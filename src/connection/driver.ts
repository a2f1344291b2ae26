import { CodemodeError } from '../errors.js';
import { type HostMessage, MAX_DELEGATE_CALLS, MAX_DELEGATE_CALLS_NEGOTIATED } from '../protocol/index.js';
import type { Cancellation } from './cancellation.js';
import { CellEnds } from './cell-ends.js';
import { Commands } from './commands.js';
import { DelegateCalls } from './delegate-calls.js';
import type { DriverInput } from './driver-input.js';
import { HostCalls } from './host-calls.js';
import * as say from './messages.js';
import { Requests } from './requests.js';
import { Responses } from './responses.js';
import { Tables } from './tables.js';
import type { Outlet } from './writer.js';

export interface DriverOptions {
  readonly token: Cancellation;
  readonly outlet: Outlet;
  readonly capabilities: readonly string[];
  /** What the codec in use does with bytes in a tool's result. */
  readonly bytes: 'keep' | 'base64';
}

/** How many calls of our tools the host may have open. */
function delegateLimit(capabilities: readonly string[]): number {
  return capabilities.includes('delegate-capacity-4096') ? MAX_DELEGATE_CALLS_NEGOTIATED : MAX_DELEGATE_CALLS;
}

/**
 * The one owner of a connection's tables. `handle` takes one input at a time, never waits, and either accepts it,
 * answers it, or ends the connection: whatever a handler throws is the reason.
 */
export class Driver {
  readonly #token: Cancellation;
  readonly #tables = new Tables();
  readonly #calls: DelegateCalls;
  readonly #requests: Requests;
  readonly #commands: Commands;
  readonly #responses: Responses;
  readonly #hostCalls: HostCalls;
  readonly #ends: CellEnds;
  readonly #inbox: DriverInput[] = [];
  #busy = false;

  constructor({ token, outlet, capabilities, bytes }: DriverOptions) {
    this.#token = token;
    this.#calls = new DelegateCalls(delegateLimit(capabilities), (id, outcome) =>
      this.handle({ type: 'delegate-done', id, outcome }),
    );
    this.#requests = new Requests(this.#tables, outlet, (id) => this.handle({ type: 'cancelled', id }));
    this.#commands = new Commands(this.#tables, this.#requests, new Set(capabilities));
    this.#ends = new CellEnds(this.#calls);
    this.#responses = new Responses(this.#tables, this.#requests, this.#ends);
    this.#hostCalls = new HostCalls(this.#tables, this.#calls, outlet, bytes);
  }

  /** A delegate that is called in here may call back: its input waits for its turn. */
  handle(input: DriverInput): void {
    this.#inbox.push(input);
    if (this.#busy) return;
    this.#busy = true;
    try {
      for (let next = this.#inbox.shift(); next !== undefined; next = this.#inbox.shift()) this.#take(next);
    } finally {
      this.#busy = false;
    }
  }

  /** Tells everybody who waits; to be called once, when the token has fired. */
  fail(reason: CodemodeError): void {
    const { pending, initials, unclaimed, sessions } = this.#tables;
    for (const { caller } of pending.values()) caller?.reject(reason.copy());
    for (const { caller } of initials.values()) caller.reject(reason.copy());
    this.#commands.failDeferred(reason);
    this.#hostCalls.forgetEarly();
    const records = [...sessions.values()];
    for (const table of [pending, initials, unclaimed, sessions]) table.clear();
    this.#calls.revokeAll(reason);
    for (const record of records) this.#ends.sessionEnded(record);
  }

  #take(input: DriverInput): void {
    const reason = this.#token.reason;
    if (reason !== undefined) {
      if (input.type === 'command') input.command.caller.reject(reason.copy());
      return;
    }
    try {
      this.#dispatch(input);
    } catch (error) {
      const reason = error instanceof CodemodeError ? error : say.driverFailed(error);
      this.#token.cancel(reason);
      // It is in no table yet, so nobody else would tell it.
      if (input.type === 'command') input.command.caller.reject((this.#token.reason ?? reason).copy());
    }
  }

  #dispatch(input: DriverInput): void {
    switch (input.type) {
      case 'message':
        this.#message(input.message);
        this.#hostCalls.startEarly();
        break;
      case 'command':
        this.#commands.handle(input.command);
        return;
      case 'claim':
        this.#tables.unclaimed.delete(input.id);
        return;
      case 'yield':
        this.#requests.yield(input.session, input.cellId);
        return;
      case 'cancelled':
        this.#requests.cancel(input.id);
        break;
      case 'delegate-done':
        this.#hostCalls.answer(input.id, input.outcome);
        break;
    }
    this.#commands.startDeferredWaits();
  }

  #message(message: HostMessage): void {
    switch (message.type) {
      case 'connection/ready':
      case 'connection/rejected':
        throw say.secondHandshake();
      case 'operation/response':
        this.#responses.response(message);
        return;
      case 'execute/initialResponse':
        this.#responses.initial(message);
        return;
      case 'cell/closed': {
        const record = this.#tables.sessions.get(message.sessionId);
        if (record === undefined) throw say.closedInUnknownSession(message.cellId, message.sessionId);
        if (!this.#ends.cellEnded(record, message.cellId)) throw say.closedUnknownCell(message.sessionId);
        return;
      }
      case 'delegate/request':
        this.#hostCalls.request(message);
        return;
      case 'delegate/cancel':
        this.#hostCalls.cancel(message.id);
        return;
    }
  }
}
