const mostMs = 2 ** 31 - 1;

/** What the promise gives, or `late` when that takes longer than the limit. The promise goes on. */
export async function within<T>(promise: Promise<T>, limitMs: number, late: T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<T>((resolve) => {
    timer = setTimeout(resolve, Math.min(limitMs, mostMs), late);
  });
  try {
    return await Promise.race([promise, limit]);
  } finally {
    clearTimeout(timer);
  }
}

export interface Deadline {
  readonly signal: AbortSignal;
  clear(): void;
}

/** Aborted with what `late` gives when the time is over, or with the reason of `signal`, whichever comes first. */
export function deadline(limitMs: number, late: () => Error, signal?: AbortSignal): Deadline {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(late()), Math.min(limitMs, mostMs));
  const give = (): void => controller.abort(signal?.reason);
  if (signal?.aborted === true) give();
  else signal?.addEventListener('abort', give, { once: true });
  return {
    signal: controller.signal,
    clear() {
      clearTimeout(timer);
      signal?.removeEventListener('abort', give);
    },
  };
}
