import type { CodemodeError } from '../../errors.js';
import { onAbort } from '../../waiting/on-abort.js';
import { startTimer } from '../../waiting/timer.js';
import type { RpcErrorBody } from '../wire/rpc-error.js';
import { callCancelled, callRejected, callTimedOut } from './messages.js';

/** Both end the waiting, not the work of the other side. */
export interface CallOptions {
  /** Rejects the call with `cancelled`. */
  readonly signal?: AbortSignal | undefined;
  /** Rejects the call with `operation-timeout` after so many ms. Default: as long as the connection lives. */
  readonly timeoutMs?: number | undefined;
}

interface Call {
  readonly method: string;
  resolve(result: unknown): void;
  reject(reason: CodemodeError): void;
}

/** Requests of this side that have no answer yet. */
export class PendingCalls {
  readonly #calls = new Map<number, Call>();

  open(id: number, method: string, options: CallOptions): Promise<unknown> {
    return new Promise((resolve, reject) => {
      let stopTimer: () => void = () => undefined;
      let stopListening: () => void = () => undefined;
      const settle = () => {
        this.#calls.delete(id);
        stopTimer();
        stopListening();
      };
      const call: Call = {
        method,
        resolve: (result) => {
          settle();
          resolve(result);
        },
        reject: (reason) => {
          settle();
          reject(reason);
        },
      };
      this.#calls.set(id, call);
      const { signal, timeoutMs = Number.POSITIVE_INFINITY } = options;
      if (signal?.aborted === true) {
        call.reject(callCancelled(method, signal.reason));
        return;
      }
      stopTimer = startTimer(timeoutMs, () => call.reject(callTimedOut(method, timeoutMs)));
      stopListening = onAbort(signal, () => call.reject(callCancelled(method, signal?.reason)));
    });
  }

  /** False when nobody waits under this id (any more). */
  resolve(id: unknown, result: unknown): boolean {
    const call = this.#find(id);
    call?.resolve(result);
    return call !== undefined;
  }

  refuse(id: unknown, error: RpcErrorBody): boolean {
    const call = this.#find(id);
    call?.reject(callRejected(call.method, error));
    return call !== undefined;
  }

  rejectAll(reason: CodemodeError): void {
    for (const call of [...this.#calls.values()]) call.reject(reason.copy());
  }

  #find(id: unknown): Call | undefined {
    return typeof id === 'number' ? this.#calls.get(id) : undefined;
  }
}
