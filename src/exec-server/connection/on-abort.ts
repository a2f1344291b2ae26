import { setMaxListeners } from 'node:events';

/** Calls `listener` when `signal` fires, at once when it has; gives back a function that takes it off. */
export function onAbort(signal: AbortSignal | undefined, listener: () => void): () => void {
  if (signal === undefined) return () => undefined;
  if (signal.aborted) {
    listener();
    return () => undefined;
  }
  setMaxListeners(0, signal); // one signal may serve a thousand calls
  signal.addEventListener('abort', listener, { once: true });
  return () => signal.removeEventListener('abort', listener);
}
