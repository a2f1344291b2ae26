/** Of `enum` and `const` together with their texts: each look compares them, and what does not fit prints them. */
export const LARGEST_CONSTANT = 10_000;

/** Parts of a value, a long text being several; not counted beyond the largest constant. */
export function sizeOf(value: unknown): number {
  const left: unknown[] = [value];
  let size = 0;
  while (left.length > 0) {
    const part = left.pop();
    size += 1 + (typeof part === 'string' ? part.length / 20 : 0);
    const parts = typeof part === 'object' && part !== null ? Object.values(part) : [];
    if (size + left.length + parts.length > LARGEST_CONSTANT) return Number.POSITIVE_INFINITY;
    for (const one of parts) left.push(one);
  }
  return size;
}
