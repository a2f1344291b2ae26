/** Deeper values are not taken: hardly any schema has 20 levels, and a cell gets no value of more than 124. */
export const deepestValue = 200;

/**
 * Whether arrays and objects stand in each other deeper than the limit. Looks level by level: what servers send may be
 * nested as deeply as its length allows, which no function that calls itself survives.
 */
export function isDeeperThan(limit: number, value: unknown): boolean {
  let level = [value].filter(isContainer);
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth === limit) return true;
    level = level.flatMap((one) => Object.values(one).filter(isContainer));
  }
  return false;
}

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;
