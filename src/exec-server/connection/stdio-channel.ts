import type { Readable, Writable } from 'node:stream';
import { LineChannel } from './line-channel.js';
import type { MessageChannel } from './message-channel.js';

export interface StdioOptions {
  /** Default: those of this program. */
  readonly input?: Readable;
  readonly output?: Writable;
  readonly maxLineBytes?: number;
}

/** The channel of a program that serves its own stdin and stdout, which carry nothing else. */
export function stdioChannel(options: StdioOptions = {}): MessageChannel {
  const { input = process.stdin, output = process.stdout, maxLineBytes } = options;
  return new LineChannel({
    input,
    output,
    release: () => undefined,
    ...(maxLineBytes === undefined ? {} : { maxLineBytes }),
  });
}
