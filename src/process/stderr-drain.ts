import type { Readable } from 'node:stream';
import { LineSplitter } from './line-splitter.js';
import { StderrTail } from './stderr-tail.js';

export interface StderrDrain {
  readonly tail: StderrTail;
  /** Nothing more will come: reports a last line that has no end. */
  end(): void;
}

/**
 * Reads stderr from the first moment to the last and never stops: a host whose stderr is full waits for us, one whose
 * stderr was closed dies of EPIPE. Lines go to the listener, which can not break this by throwing.
 */
export function drainStderr(stderr: Readable, onLine: ((line: string) => void) | undefined): StderrDrain {
  const tail = new StderrTail();
  const lines = onLine === undefined ? undefined : new LineSplitter(guarded(onLine));
  stderr.on('data', (chunk: Buffer) => {
    tail.add(chunk);
    lines?.add(chunk);
  });
  const end = (): void => lines?.end();
  stderr.once('end', end);
  return { tail, end };
}

const guarded = (onLine: (line: string) => void) => (line: string) => {
  try {
    onLine(line);
  } catch {
    // A log sink that fails must not end the host it watches.
  }
};
