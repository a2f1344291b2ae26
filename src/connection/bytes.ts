import type { Readable, Writable } from 'node:stream';

/** Where the host's bytes come from: a stream, of whatever kind. */
export type ByteSource = Pick<Readable, 'on' | 'off' | 'pause' | 'resume' | 'errored' | 'destroyed'>;

/** Where our bytes go. */
export type ByteSink = Pick<
  Writable,
  'on' | 'off' | 'write' | 'cork' | 'uncork' | 'writableNeedDrain' | 'destroyed' | 'errored'
>;

/** What became of the peer when it ended, as its owner tells it: a line for people, and facts. */
export interface PeerEnd {
  /** For example `exit status: 3`. */
  readonly status: string;
  /** Ended by a signal, from outside or by a crash. */
  readonly bySignal?: boolean;
  readonly data?: { readonly [name: string]: unknown };
}
