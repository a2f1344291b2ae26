/** In ms. Node fires a longer timer after 1 ms. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** `Infinity`, and whatever Node cannot count, means: no limit. */
export function isTimed(ms: number): boolean {
  return ms <= LONGEST_TIMER_MS;
}

/** Gives back a function that stops the timer, to be called in `finally`. */
export function startTimer(ms: number, onExpiry: () => void): () => void {
  if (!isTimed(ms)) return () => undefined;
  const timer = setTimeout(onExpiry, ms);
  return () => clearTimeout(timer);
}

/** Resolves after `ms`, or as soon as `signal` fires; never rejects. */
export function pauseFor(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
      return;
    }
    const done = () => {
      stop();
      signal.removeEventListener('abort', done);
      resolve();
    };
    const stop = startTimer(ms, done);
    signal.addEventListener('abort', done, { once: true });
  });
}
