/**
 * The candidate that was probably meant: the one with the fewest slips between, where an end of a longer name (or too long
 * an end) comes after a single slip. Neither case nor what stands between words counts. Undefined: none is near.
 */
export function nearest(typed: string, candidates: Iterable<string>): string | undefined {
  const words = sameWords(typed);
  let best: string | undefined;
  // Of a word of which nothing is right, none is a slip.
  let least = Math.min(words.length, Math.max(2, Math.floor(words.length / 3)) + 1);
  for (const candidate of candidates) {
    const other = sameWords(candidate);
    const isPart = Math.min(words.length, other.length) >= 3 && (other.endsWith(words) || words.endsWith(other));
    const distance = isPart && words !== other ? 1.5 : editDistance(words, other);
    if (distance < least) [best, least] = [candidate, distance];
  }
  return best;
}

/** What is left of a name when its case and what stands between its words does not count. */
export const sameWords = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** Insertions, deletions and replacements. A long word is nobody's slip, and the table grows with both lengths. */
function editDistance(from: string, to: string): number {
  if (from.length > 64 || to.length > 128) return Number.POSITIVE_INFINITY;
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let line = 0; line < from.length; line += 1) {
    const next = [line + 1];
    for (let column = 0; column < to.length; column += 1) {
      const replace = (row[column] ?? 0) + (from[line] === to[column] ? 0 : 1);
      next.push(Math.min(replace, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? Number.POSITIVE_INFINITY;
}
