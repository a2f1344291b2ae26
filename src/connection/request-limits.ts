import { DEFAULT_YIELD_MS, YIELD_GRACE_MS } from '../protocol/index.js';

/** How long this side waits for the host, in ms; `Infinity` for no limit. A host that is late is given up. */
export interface RequestLimits {
  readonly openMs: number;
  /** Until the cell has started. */
  readonly executeMs: number;
  /** On top of the yield time and the second that the host may add to it. */
  readonly firstResultGraceMs: number;
  readonly waitGraceMs: number;
  readonly terminateMs: number;
  readonly shutdownMs: number;
}

export const defaultRequestLimits: RequestLimits = {
  openMs: 60_000,
  executeMs: 60_000,
  firstResultGraceMs: 60_000,
  waitGraceMs: 60_000,
  terminateMs: 60_000,
  shutdownMs: 10_000,
};

/** When an observation is due: the yield time, and what a host may add so that a cell can end just in time. */
export function dueMs(yieldTimeMs: number | null | undefined): number {
  return (yieldTimeMs ?? DEFAULT_YIELD_MS) + YIELD_GRACE_MS;
}
