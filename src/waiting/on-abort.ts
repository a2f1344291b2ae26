import { setMaxListeners } from 'node:events';

/**
 * Calls `listener` when `signal` fires, at once when it has fired already (Node never calls a late listener), and
 * gives back a function that takes it off. What the listener throws is dropped: Node would end the process with it.
 */
export function onAbort(signal: AbortSignal | undefined, listener: () => void): () => void {
  const guarded = () => {
    try {
      listener();
    } catch {}
  };
  if (signal === undefined) return () => undefined;
  if (signal.aborted) {
    guarded();
    return () => undefined;
  }
  setMaxListeners(0, signal); // one signal may serve a thousand calls
  signal.addEventListener('abort', guarded, { once: true });
  return () => signal.removeEventListener('abort', guarded);
}
