/** Something that can be said in more or fewer bytes. */
export interface Choice {
  /** Bytes of its forms, the fullest first, each smaller than the one before. */
  readonly sizes: readonly number[];
}

/**
 * How large a form may be so that everything fits, and is fair: nobody gets a larger share while another one could still
 * get its next form within a smaller one. So a tool with an enormous schema is shortened long before twenty small ones
 * are, and no tool is shown in full at the price of another that is not shown. `total` tells the bytes of everything
 * under a share, and grows with it; the smallest forms must fit.
 */
export function largestShare(choices: readonly Choice[], total: (share: number) => number, budget: number): number {
  const shares = [...new Set(choices.flatMap(({ sizes }) => sizes))].sort((a, b) => a - b);
  let low = -1;
  let high = shares.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (total(shares[middle] ?? 0) <= budget) low = middle;
    else high = middle - 1;
  }
  return shares[low] ?? 0;
}

/** Which form an item takes under a share: the fullest that is not larger, else the smallest. */
export function formUnder({ sizes }: Choice, share: number): number {
  const fitting = sizes.findIndex((size) => size <= share);
  return fitting === -1 ? sizes.length - 1 : fitting;
}
