import type { Observation } from '../supervisor/host.js';
import type { ContractSession } from './contract-session.js';

/** How long a host may take to confirm the end of a cell before the harness goes on without its answer, in ms. */
const TERMINATE_GRACE_MS = 2_000;
/** An observer is answered together with the termination; this is only for a host that forgets it. */
const OBSERVER_GRACE_MS = 500;

interface Observed {
  readonly cellId: string;
  /** What the cell answers next; null when nobody asks it. */
  readonly pending: Promise<Observation> | null;
  readonly maxOutputTokens: number;
}

/** What a cell answers, or what it has put out by its end when the signal ends it; null if the host does not say. */
export async function untilInterrupted(
  session: ContractSession,
  { cellId, pending, maxOutputTokens }: Observed,
  signal: AbortSignal | undefined,
): Promise<Observation | null> {
  if (signal === undefined && pending !== null) return await pending;
  let ending: Promise<Observation> | undefined;
  let interrupt = (): void => undefined;
  const fired = new Promise<null>((resolve) => {
    interrupt = () => {
      ending = session.terminate(cellId, { maxOutputTokens });
      ending.catch(() => undefined);
      resolve(null);
    };
  });
  if (signal?.aborted === true) interrupt();
  signal?.addEventListener('abort', interrupt, { once: true });
  try {
    const seen = await (pending === null ? fired : Promise.race([pending, fired]));
    if (seen !== null && (ending === undefined || seen.kind !== 'yielded')) return seen;
  } finally {
    signal?.removeEventListener('abort', interrupt);
  }
  return await lastWords(ending, pending);
}

/** The cell may have been quicker, or have answered just before its end. */
async function lastWords(
  ending: Promise<Observation> | undefined,
  pending: Promise<Observation> | null,
): Promise<Observation | null> {
  const last = ending === undefined ? null : await within(TERMINATE_GRACE_MS, ending);
  const seen = pending === null ? null : await within(OBSERVER_GRACE_MS, pending);
  // An observer that was answered with the termination has the same items.
  if (seen !== null && seen.kind !== 'yielded') return seen;
  const before = seen?.items ?? [];
  if (last !== null && !last.missing) return { ...last, items: [...before, ...last.items] };
  return seen === null ? null : { ...seen, kind: 'terminated' };
}

/** The value, or null if it fails or takes longer. */
async function within<T>(ms: number, work: Promise<T>): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), ms);
  });
  try {
    return await Promise.race([work, late]);
  } catch {
    return null;
  } finally {
    clearTimeout(timer);
  }
}
