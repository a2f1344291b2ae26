import type { Observation } from '../supervisor/host.js';
import { answeredWithin, OBSERVER_GRACE_MS, TERMINATE_GRACE_MS } from '../waiting/grace.js';
import { onAbort } from '../waiting/on-abort.js';
import type { ContractSession } from './contract-session.js';

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
  const stopListening = onAbort(signal, interrupt);
  try {
    const seen = await (pending === null ? fired : Promise.race([pending, fired]));
    if (seen !== null && (ending === undefined || seen.kind !== 'yielded')) return seen;
  } finally {
    stopListening();
  }
  return await lastWords(ending, pending);
}

/** The cell may have been quicker, or have answered just before its end. */
async function lastWords(
  ending: Promise<Observation> | undefined,
  pending: Promise<Observation> | null,
): Promise<Observation | null> {
  const last = ending === undefined ? null : await answeredWithin(TERMINATE_GRACE_MS, ending);
  const seen = pending === null ? null : await answeredWithin(OBSERVER_GRACE_MS, pending);
  // An observer that was answered with the termination has the same items.
  if (seen !== null && seen.kind !== 'yielded') return seen;
  const before = seen?.items ?? [];
  if (last !== null && !last.missing) return { ...last, items: [...before, ...last.items] };
  return seen === null ? null : { ...seen, kind: 'terminated' };
}
