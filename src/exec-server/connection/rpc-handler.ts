import type { CodemodeError } from '../../errors.js';

export interface RequestContext {
  /** Fires when nobody is there to be answered: what only waits should stop waiting. */
  readonly signal: AbortSignal;
  /** Fires when the peer has said its last word but can still be answered: a long poll should answer now. */
  readonly inputEnded: AbortSignal;
  /** Runs `then` right after the answer to this request has been queued: what `then` sends, arrives behind it. */
  afterResponse(then: () => void): void;
}

export interface RpcHandler {
  /**
   * Resolves with the result. Throws `RpcError` to answer with an error; anything else becomes -32603. Called in the
   * order of arrival, also in relation to `notification`; up to its first `await` nothing else of this connection runs.
   */
  request(method: string, params: unknown, context: RequestContext): Promise<unknown>;
  /** Throwing `RpcViolation` closes the connection. */
  notification(method: string, params: unknown): void;
  /** Exactly once, after everything that was received had its turn. */
  closed(reason: CodemodeError | undefined): void;
}

/** Something the protocol does not allow: the connection is closed, nothing is answered. */
export class RpcViolation extends Error {
  override readonly name = 'RpcViolation';
}
