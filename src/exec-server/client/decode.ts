import { fromBase64 } from '../wire/base64.js';
import type { Guard } from '../wire/guard.js';
import { notifications } from '../wire/method.js';
import {
  closedNotification,
  exitedNotification,
  type OutputChunk,
  outputNotification,
  type ReadResult,
} from '../wire/process-results.js';
import { strangeAnswer } from './messages.js';
import type { NumberedEvent, OutputEvent, ProcessOutput } from './process-event.js';

/** The result of a call in its shape; `protocol-error` for an answer of another. */
export function resultOf<T>(method: string, guard: Guard<T>, value: unknown): T {
  try {
    return guard(value, '');
  } catch (error) {
    throw strangeAnswer(method, error);
  }
}

export interface ProcessNotification extends NumberedEvent {
  readonly processId: string;
}

/** What a notification says of a process; undefined for one that is about something else. */
export function processNotification(method: string, params: unknown): ProcessNotification | undefined {
  if (method === notifications.output) {
    const output = outputNotification(params, '');
    return { processId: output.processId, seq: output.seq, event: outputEvent(output) };
  }
  if (method === notifications.exited) {
    const { processId, seq, exitCode, sandboxDenied } = exitedNotification(params, '');
    return { processId, seq, event: { type: 'exited', code: exitCode, sandboxDenied: sandboxDenied === true } };
  }
  if (method === notifications.closed) {
    const { processId, seq } = closedNotification(params, '');
    return { processId, seq, event: { type: 'closed' } };
  }
  return undefined;
}

export function processOutput(result: ReadResult): ProcessOutput {
  return { ...result, chunks: result.chunks.map(outputEvent) };
}

const outputEvent = ({ seq, stream, chunk }: OutputChunk): OutputEvent => ({
  type: 'output',
  seq,
  stream,
  bytes: fromBase64(chunk),
});
