import type { CodemodeError } from '../errors.js';
import { checkExecute } from '../protocol/client-message.js';
import type { CellExecutionLimits } from '../protocol/index.js';
import { MAX_SIGNED_32 } from '../protocol/signed-32.js';
import { hostCellId } from './cell-id.js';
import type { Command, ExecuteCommand, OpenCommand, TerminateCommand, WaitCommand } from './driver-input.js';
import * as say from './messages.js';
import type { Requests } from './requests.js';
import type { CellRef, Pending, SessionRef, Tables } from './tables.js';

const LIMITS_CAPABILITY = 'session-cell-execution-resource-limits';

/**
 * What callers ask for: the checks that need no host, then one frame. A failure here is the caller's alone; whatever
 * these functions throw ends the connection.
 */
export class Commands {
  readonly #tables: Tables;
  readonly #requests: Requests;
  readonly #capabilities: ReadonlySet<string>;
  #deferred: WaitCommand[] = [];

  constructor(tables: Tables, requests: Requests, capabilities: ReadonlySet<string>) {
    this.#tables = tables;
    this.#requests = requests;
    this.#capabilities = capabilities;
  }

  handle(command: Command): void {
    if (command.caller.cancelled !== undefined) return; // given up before anything was sent
    const failure = this.#start(command);
    if (failure !== undefined) command.caller.reject(failure);
  }

  /** Starts the waits that were held back, as far as their cells allow it now. */
  startDeferredWaits(): void {
    if (this.#deferred.length === 0) return;
    const waits = this.#deferred;
    this.#deferred = [];
    for (let next = waits.shift(); next !== undefined; next = waits.shift()) {
      try {
        this.handle(next);
      } catch (error) {
        this.#deferred.push(next, ...waits);
        throw error;
      }
    }
  }

  failDeferred(reason: CodemodeError): void {
    for (const wait of this.#deferred) wait.caller.reject(reason.copy());
    this.#deferred = [];
  }

  #start(command: Command): CodemodeError | undefined {
    switch (command.type) {
      case 'open':
        return this.#open(command);
      case 'execute':
        return this.#execute(command);
      case 'wait':
        return this.#wait(command);
      case 'terminate':
        return this.#terminate(command);
      case 'shutdown': {
        const { session, caller } = command;
        const record = this.#tables.sessions.get(session.id);
        if (record === undefined) return say.unknownSession(session.id);
        if (record.generation !== session.generation) return say.staleSession();
        if (record.phase === 'closing') return say.sessionClosing();
        record.phase = 'closing';
        return this.#requests.issue(
          { kind: 'shutdown', session, caller, cancelSent: false },
          { method: 'session/shutdown', sessionId: session.id },
        );
      }
    }
  }

  #open({ session, limits, caller }: OpenCommand): CodemodeError | undefined {
    if (this.#tables.sessions.has(session.id) || this.#tables.opening.has(session.id)) {
      return say.sessionOpenAlready(session.id);
    }
    const limited = limits.maxHeapSizeBytes != null || limits.maxYieldTimeMs != null;
    if (limited && !this.#capabilities.has(LIMITS_CAPABILITY)) return say.limitsUnsupported();
    const wrong =
      notUnsigned('maxYieldTimeMs', limits.maxYieldTimeMs) ?? notUnsigned('maxHeapSizeBytes', limits.maxHeapSizeBytes);
    if (wrong !== undefined) return say.limitsNotEncodable(wrong);
    const failure = this.#requests.issue(
      { kind: 'open', session, caller, cancelSent: false },
      {
        method: 'session/open',
        sessionId: session.id,
        ...(limited ? { cellExecutionLimits: present(limits) } : {}),
        ...(session.hostTruncates === true ? { outputTruncation: 'server' as const } : {}),
      },
    );
    if (failure === undefined) this.#tables.opening.add(session.id);
    return failure;
  }

  #execute({ session, request, caller }: ExecuteCommand): CodemodeError | undefined {
    const unusable = this.#unusable(session);
    if (unusable !== undefined) return unusable;
    const wrong =
      notUnsigned('yieldTimeMs', request.yield_time_ms) ??
      notUnsigned('maxOutputTokens', request.max_output_tokens, MAX_SIGNED_32);
    if (wrong !== undefined) return say.unsendable('execute', wrong);
    try {
      checkExecute(request, 'execute');
    } catch (error) {
      return say.badRequest(error);
    }
    const failure = this.#requests.issue(
      { kind: 'execute', session, caller, cancelSent: false },
      { method: 'session/execute', sessionId: session.id, request },
    );
    const record = this.#tables.sessions.get(session.id);
    if (failure === undefined && record !== undefined) record.executesPending++;
    return failure;
  }

  #wait(command: WaitCommand): CodemodeError | undefined {
    const { session, caller, yieldTimeMs, maxOutputTokens } = command;
    const cell = this.#cell(session, command.cellId);
    if (!('hostId' in cell)) return cell;
    const wrong = notUnsigned('yieldTimeMs', yieldTimeMs) ?? notUnsigned('maxOutputTokens', maxOutputTokens);
    if (wrong !== undefined) return wrong;
    if (this.#tables.isRetiring(session, cell)) {
      // The host would see two observers of one cell.
      this.#deferred.push(command);
      return undefined;
    }
    return this.#requests.issue(
      { kind: 'wait', session, cell, caller, cancelSent: false },
      {
        method: 'session/wait',
        sessionId: session.id,
        request: { cell_id: cell.hostId, yield_time_ms: yieldTimeMs },
        ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
      },
    );
  }

  #terminate({ session, cellId, maxOutputTokens, caller }: TerminateCommand): CodemodeError | undefined {
    const cell = this.#cell(session, cellId);
    if (!('hostId' in cell)) return cell;
    const wrong = notUnsigned('maxOutputTokens', maxOutputTokens);
    if (wrong !== undefined) return wrong;
    const pending: Pending = { kind: 'terminate', session, cell, caller, cancelSent: false };
    return this.#requests.issue(pending, {
      method: 'session/terminate',
      sessionId: session.id,
      cellId: cell.hostId,
      ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    });
  }

  #unusable(session: SessionRef): CodemodeError | undefined {
    const record = this.#tables.sessions.get(session.id);
    if (record === undefined) return say.unknownSession(session.id);
    if (record.generation !== session.generation) return say.staleSession();
    return record.phase === 'closing' ? say.sessionShuttingDown() : undefined;
  }

  #cell(session: SessionRef, publicId: string): CellRef | CodemodeError {
    if (typeof publicId !== 'string') return say.badCellId(publicId);
    const unusable = this.#unusable(session);
    if (unusable !== undefined) return unusable;
    const hostId = hostCellId(session.generation, publicId);
    return hostId === undefined ? say.staleCell(publicId) : { hostId, publicId };
  }
}

function notUnsigned(name: string, value: number | null | undefined, max = Number.MAX_SAFE_INTEGER) {
  if (value == null || (Number.isSafeInteger(value) && value >= 0 && value <= max)) return undefined;
  return say.notAnInteger(name, value, max);
}

function present(limits: CellExecutionLimits): CellExecutionLimits {
  return {
    ...(limits.maxYieldTimeMs == null ? {} : { maxYieldTimeMs: limits.maxYieldTimeMs }),
    ...(limits.maxHeapSizeBytes == null ? {} : { maxHeapSizeBytes: limits.maxHeapSizeBytes }),
  };
}
