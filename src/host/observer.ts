import { DEFAULT_YIELD_MS, YIELD_GRACE_MS } from '../protocol/limits.js';
import type { Id, RuntimeResponse } from '../protocol/message.js';

/** How an observation ended. */
export type Answer =
  | {
      readonly kind: 'response';
      readonly response: RuntimeResponse;
      readonly droppedBytes: number;
      /** About a cell that is gone or never was. */
      readonly missing?: boolean;
    }
  | { readonly kind: 'error'; readonly message: string };

/** A request that waits for news of a cell: an execute before its initial response, a wait, or a terminate. */
export interface Observer {
  readonly id: Id;
  /** `performance.now()` when the host read the request. */
  readonly startedAt: number;
  readonly maxTokens: number | null;
  answer(answer: Answer): void;
}

/** How long an observation may take, in ms: the request's time, stretched from 10 s up, capped by the session. */
export function effectiveYieldMs(requested: number | null | undefined, capMs: number | null | undefined): number {
  const asked = requested ?? DEFAULT_YIELD_MS;
  const stretched = asked >= DEFAULT_YIELD_MS ? asked + YIELD_GRACE_MS : asked;
  return Math.min(stretched, capMs ?? Number.POSITIVE_INFINITY);
}
