import { absentOrNull, flag, i32, listOf, struct, text, u64, word } from './guard.js';

// Results of `process/*` and its notifications, as a client reads them. What only our server sends is optional.

/** `pty`: of a terminal, which has one stream. */
export type OutputStream = 'stdout' | 'stderr' | 'pty';

export interface StartResult {
  readonly processId: string;
  /** `none`, or the sandbox that the server put the process into. */
  readonly sandboxType?: string | null;
}

export const startResult = struct('StartResult', { processId: text }, { sandboxType: absentOrNull(text) });

export interface OutputChunk {
  readonly seq: number;
  readonly stream: OutputStream;
  /** Base64. */
  readonly chunk: string;
}

const outputStream = word('stdout', 'stderr', 'pty');

export interface ReadResult {
  readonly chunks: readonly OutputChunk[];
  readonly nextSeq: number;
  readonly exited: boolean;
  readonly exitCode?: number | null;
  /** Absent in the first generation. */
  readonly closed?: boolean;
  readonly failure?: string | null;
  readonly sandboxDenied?: boolean;
  /** Ours: the oldest number of output that is retained, or `nextSeq` when there is none. */
  readonly firstSeq?: number;
  /** Ours: bytes evicted since the process started. */
  readonly droppedBytes?: number;
  /** Ours: present and true when output after `afterSeq` was evicted. */
  readonly truncated?: boolean;
}

export const readResult = struct(
  'ReadResult',
  {
    chunks: listOf(struct('OutputChunk', { seq: u64, stream: outputStream, chunk: text })),
    nextSeq: u64,
    exited: flag,
  },
  {
    exitCode: absentOrNull(i32),
    closed: flag,
    failure: absentOrNull(text),
    sandboxDenied: flag,
    firstSeq: u64,
    droppedBytes: u64,
    truncated: flag,
  },
);

/**
 * `accepted`: queued for the child, in the order of the writes. `stdinClosed`: it has ended, or its stdin is closed, by it
 * or by us, or was never open. `unknownProcess`: the server has forgotten it, or never knew it. `starting`: it takes nothing
 * yet; not said by servers of this package. Nothing was written unless it is `accepted`.
 */
export type WriteStatus = 'accepted' | 'unknownProcess' | 'stdinClosed' | 'starting';

export interface WriteResult {
  readonly status: WriteStatus;
}

export const writeResult = struct('WriteResult', {
  status: word('accepted', 'unknownProcess', 'stdinClosed', 'starting'),
});

export interface TerminateResult {
  /** False: the process itself had ended before; what it has left behind was killed all the same. */
  readonly running: boolean;
}

export const terminateResult = struct('TerminateResult', { running: flag });

export interface OutputNotification extends OutputChunk {
  readonly processId: string;
}

export const outputNotification = struct('OutputNotification', {
  processId: text,
  seq: u64,
  stream: outputStream,
  chunk: text,
});

export interface ExitedNotification {
  readonly processId: string;
  readonly seq: number;
  readonly exitCode: number;
  readonly sandboxDenied?: boolean;
}

export const exitedNotification = struct(
  'ExitedNotification',
  { processId: text, seq: u64, exitCode: i32 },
  { sandboxDenied: flag },
);

export interface ClosedNotification {
  readonly processId: string;
  readonly seq: number;
}

export const closedNotification = struct('ClosedNotification', { processId: text, seq: u64 });
