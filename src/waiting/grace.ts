import { within } from './within.js';

/** How long a host may take to confirm the end of a cell before we go on without its answer. */
export const TERMINATE_GRACE_MS = 2_000;
/** An observer is answered together with the termination; this is only for a host that forgets it. */
export const OBSERVER_GRACE_MS = 500;
/** How long whoever takes a cell's output may be busy with it after the cell was stopped, or its host was lost. */
export const CONSUMER_GRACE_MS = 1_000;

/** What a host answers, or null if it fails to, or takes longer than `ms`. */
export const answeredWithin = <T>(ms: number, answer: Promise<T>): Promise<T | null> =>
  within(answer, ms, null).catch(() => null);
