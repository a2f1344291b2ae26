/** Node fires a longer timer after 1 ms. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** `Infinity`, and whatever Node cannot count, means: no limit. */
export function isTimed(ms: number): boolean {
  return ms <= LONGEST_TIMER_MS;
}

/** The only place that calls `setTimeout`. Gives back a function that stops the timer, to be called in `finally`. */
export function startTimer(ms: number, onExpiry: () => void): () => void {
  if (!isTimed(ms)) return () => undefined;
  const timer = setTimeout(onExpiry, ms);
  return () => clearTimeout(timer);
}
