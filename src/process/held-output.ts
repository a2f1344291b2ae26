import type { Readable } from 'node:stream';

const ignore = (): void => {};

/**
 * Keeps what a child writes until somebody reads. Without this, both Node (when the child exits) and execa (on the next
 * turn) set an unread stream flowing and its data is lost. A stream with a `readable` listener never flows.
 */
export function holdUntilRead(output: Readable): void {
  const release = (event: string | symbol, listener: unknown): void => {
    if ((event !== 'data' && event !== 'readable') || listener === ignore) return;
    output.removeListener('newListener', release);
    output.removeListener('readable', ignore);
  };
  output.on('readable', ignore);
  output.on('newListener', release);
}
