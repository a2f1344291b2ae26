import type { CodemodeError } from '../../errors.js';

/** What a client takes in one answer. */
export interface AnswerLimits {
  readonly bytes: number;
  /** JSON values, keys not counted. */
  readonly values: number;
}

export interface RequestContext {
  /** Fires when nobody is there to be answered: what only waits should stop waiting. */
  readonly signal: AbortSignal;
  /** Fires when the peer has said its last word but can still be answered: a long poll should answer now. */
  readonly inputEnded: AbortSignal;
  /** Fires when others can not begin before something ends: what only waits for news should answer with what there is. */
  readonly crowded: AbortSignal;
  /** A larger answer is not sent; the request is answered with an error instead. */
  readonly limits: AnswerLimits;
  /**
   * Resolves when there is room for an answer of about so many bytes, and rejects when nobody can be answered any more.
   * For what may be large: to be called before it is read, and nothing is to be waited for between the two.
   */
  reserve(bytes: number): Promise<void>;
  /** Tells that this request goes on, for one that may take long: where nothing moves the connection is given up. */
  moved(): void;
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
