import type { OutputStream, ReadResult } from '../wire/process-results.js';

export interface OutputEvent {
  readonly type: 'output';
  readonly seq: number;
  readonly stream: OutputStream;
  readonly bytes: Uint8Array;
}

/** Output that the server no longer had when it was asked for. */
export interface GapEvent {
  readonly type: 'gap';
  /** Chunks of at most 8 KiB. */
  readonly missed: number;
  /** Told by servers of this package. */
  readonly missedBytes?: number;
}

/** The process itself ended. What it left behind may still write. */
export interface ExitedEvent {
  readonly type: 'exited';
  /** Null where the server does not know. */
  readonly code: number | null;
  readonly sandboxDenied: boolean;
}

/** The end: nothing follows. */
export interface ClosedEvent {
  readonly type: 'closed';
}

export type ProcessEvent = OutputEvent | GapEvent | ExitedEvent | ClosedEvent;

/** An event that has its number, as a notification brings it. */
export type NumberedEvent = { readonly seq: number; readonly event: OutputEvent | ExitedEvent | ClosedEvent };

/** What a server retains, with decoded chunks. */
export interface ProcessOutput extends Omit<ReadResult, 'chunks'> {
  readonly chunks: readonly OutputEvent[];
}

/** What an event takes besides its bytes, more or less: very small ones are mostly something else. */
const EVENT_BYTES = 256;

/** What an event that waits takes of our memory, in bytes. */
export const sizeOf = (event: ProcessEvent): number => EVENT_BYTES + (event.type === 'output' ? event.bytes.length : 0);
