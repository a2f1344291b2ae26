/** Something that can be said in more or fewer bytes. */
export interface Choice {
  /** Bytes of its forms, the fullest first, each smaller than the one before. */
  readonly sizes: readonly number[];
}

/** How many bytes the form of each item may have at most, by its place. */
export interface Share {
  of(place: number): number;
}

/** The same for all. */
export const equalShare = (bytes: number): Share => ({ of: () => bytes });

/**
 * How large forms may be so that everything fits, and is fair: nobody gets a larger share while another one could still
 * get its next form within a smaller one. So a tool with an enormous schema is shortened long before twenty small ones
 * are, and no tool is shown in full at the price of another that is not shown. Of what is left then, the first ones get the
 * next larger share, as many as there is room for: items of one size would else all go without. `total` tells the bytes of
 * everything under a share, and grows with it; the smallest forms must fit.
 */
export function largestShare(choices: readonly Choice[], total: (share: Share) => number, budget: number): Share {
  const sizes = [...new Set(choices.flatMap(({ sizes }) => sizes))].sort((a, b) => a - b);
  const at = last(sizes.length - 1, (index) => total(equalShare(sizes[index] ?? 0)) <= budget);
  const [common = 0, next] = [sizes[at], sizes[at + 1]];
  if (next === undefined) return equalShare(common);
  const firstWith = (count: number): Share => ({ of: (place) => (place < count ? next : common) });
  return firstWith(last(choices.length, (count) => count === 0 || total(firstWith(count)) <= budget));
}

/** The last number from 0 up to which something holds; -1 when it never does. */
function last(max: number, holds: (at: number) => boolean): number {
  let low = -1;
  let high = max;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (holds(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Which form an item takes under a share: the fullest that is not larger, else the smallest. */
export function formUnder({ sizes }: Choice, share: number): number {
  const fitting = sizes.findIndex((size) => size <= share);
  return fitting === -1 ? sizes.length - 1 : fitting;
}
