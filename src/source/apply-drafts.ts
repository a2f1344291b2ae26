import { applyEdits, type Draft } from './finding.js';
import { type Reading, readCell, stillParses } from './reading.js';

export interface Repaired {
  readonly reading: Reading;
  readonly applied: ReadonlySet<Draft>;
}

/** So often a text is read again to find out which repairs it does not bear; a long one, for so many units in all. */
const MOST_TRIES = 30;
const MOST_UNITS = 1_000_000;

/** Makes all repairs; where a host would refuse what comes out, those that it takes. Undefined: nothing was repaired. */
export async function applyDrafts(
  before: Reading,
  drafts: readonly Draft[],
  typescript: boolean | undefined,
): Promise<Repaired | undefined> {
  const most = Math.max(4, Math.min(MOST_TRIES, MOST_UNITS / before.text.length));
  let tries = 0;
  const attempt = async (chosen: readonly Draft[]): Promise<Repaired | undefined> => {
    tries += 1;
    const text = applyEdits(
      before.text,
      chosen.flatMap(({ edits }) => edits ?? []),
    );
    if (text === before.text) return undefined;
    const next = await readCell(text, typescript);
    if (next.program === undefined || !stillParses(before, next)) return undefined;
    return { reading: next, applied: new Set(chosen) };
  };
  const mended = drafts.filter(({ edits }) => edits !== undefined);
  const whole = await attempt(mended);
  if (whole !== undefined || mended.length < 2) return whole;
  let best: Repaired | undefined;
  // Halves of what is left, until what stands in the way is alone. One without edits leans on another of its kind.
  const queue: (readonly Draft[])[] = [mended.filter(({ edits }) => edits?.length !== 0)];
  while (tries < most) {
    const group = queue.shift();
    if (group === undefined) break;
    const found = group.length > 0 ? await attempt([...(best?.applied ?? []), ...group]) : undefined;
    if (found !== undefined) best = found;
    else if (group.length > 1) {
      const middle = group.length >> 1;
      queue.push(group.slice(0, middle), group.slice(middle));
    }
  }
  return best;
}
