/** Text in at most `limit` UTF-16 code units: whole, or up to the last sentence, line or word that fits. */
export function shorten(text: string, limit: number): string {
  const whole = text.trim();
  if (whole.length <= limit) return whole;
  const start = whole.slice(0, limit - 1);
  const end = lastEnd(start, /[.!?](?=\s)|[。！？]|\n/g) ?? lastEnd(start, /\s/g) ?? start.length;
  // Half a character is none.
  return `${start
    .slice(0, end)
    .replace(/[\ud800-\udbff]$/, '')
    .trimEnd()}…`;
}

/** The first sentence, on one line. */
export function oneLine(text: string, limit: number): string {
  const first = text.trim().split(/\n\s*\n|(?<=[.!?])\s/, 1)[0] ?? '';
  return shorten(first.replace(/\s+/g, ' '), limit);
}

/** An end in the second half; an early one would give too much away. */
function lastEnd(text: string, pattern: RegExp): number | undefined {
  let end: number | undefined;
  for (const { index } of text.matchAll(pattern)) end = index + 1;
  return end !== undefined && end > text.length / 2 ? end : undefined;
}
