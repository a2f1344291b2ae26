import { DEFAULT_YIELD_MS, YIELD_GRACE_MS } from '../protocol/index.js';

/**
 * How long this side waits for the host, in ms above 0; `Infinity` for no limit. A host that is late is given up with all
 * that runs in it: everybody who waits gets `operation-timeout`.
 */
export interface RequestLimits {
  /** Until a session is open. Default: 60,000. */
  readonly openMs: number;
  /** Until the cell has started. Default: 60,000. */
  readonly executeMs: number;
  /** Until the first answer of a cell, on top of the yield time and the second that the host may add to it. Default: 60,000. */
  readonly firstResultGraceMs: number;
  /** The same for each later look at it. Default: 60,000. */
  readonly waitGraceMs: number;
  /** Until a cell is ended. Default: 60,000. */
  readonly terminateMs: number;
  /** Until a session is shut down; `Host.close` waits as long for all of them. Default: 10,000. */
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
