/** The order of UTF-8 bytes, which is that of code points: surrogates stand above everything else of UTF-16. */
export function byCodePoints(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let at = 0; at < length; at += 1) {
    const one = left.charCodeAt(at);
    const other = right.charCodeAt(at);
    if (one !== other) return rank(one) - rank(other);
  }
  return left.length - right.length;
}

const rank = (unit: number): number => (unit < 0xd800 ? unit : unit < 0xe000 ? unit + 0x2000 : unit - 0x800);
