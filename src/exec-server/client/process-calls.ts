import { CodemodeError } from '../../errors.js';
import type { CallOptions } from '../connection/pending-calls.js';
import { toBase64 } from '../wire/base64.js';
import { emptyResult } from '../wire/file-results.js';
import { isRecord } from '../wire/guard.js';
import type { EnvironmentPolicy } from '../wire/process-params.js';
import {
  readResult,
  startResult,
  type TerminateResult,
  terminateResult,
  type WriteStatus,
  writeResult,
} from '../wire/process-results.js';
import { rpcCodes } from '../wire/rpc-error.js';
import { processOutput, resultOf } from './decode.js';
import { toFileUri } from './path-uri.js';
import type { ProcessOutput } from './process-event.js';
import type { Session } from './session.js';

export interface StartOptions extends CallOptions {
  readonly argv: readonly string[];
  /** A path, or a file URI. */
  readonly cwd: string;
  /** The whole environment of the process, unless there is a policy. Default: empty. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly envPolicy?: EnvironmentPolicy | undefined;
  /** Default: false. A size is for servers that know it; others give every terminal 24 rows of 80. */
  readonly tty?: boolean | { readonly rows: number; readonly cols: number } | undefined;
  /** Keeps stdin open for `write`; a terminal always does. Default: false. */
  readonly pipeStdin?: boolean | undefined;
  readonly arg0?: string | undefined;
  /** Default: one that this client never used. */
  readonly processId?: string | undefined;
  readonly sandbox?: unknown;
  readonly metadata?: unknown;
  /** Whether its events are kept for whoever iterates over it. False: it is only read from. Default: true. */
  readonly events?: boolean | undefined;
}

export interface ReadOptions extends CallOptions {
  readonly afterSeq?: number | undefined;
  readonly maxBytes?: number | undefined;
  readonly waitMs?: number | undefined;
}

export interface WriteOptions extends CallOptions {
  /** Closes stdin behind the data; for servers that know it. */
  readonly eof?: boolean | undefined;
}

export interface TerminateOptions extends CallOptions {
  /** TERM first, KILL after this time, 600,000 at most; for servers that know it. */
  readonly graceMs?: number | undefined;
}

/** Pieces of a long write: a server bounds what it queues. */
const WRITE_BYTES = 524_288;

/**
 * True when the connection was cut meanwhile: then events may have been missed. The second try is answered with a refusal
 * if the first had its effect, since nobody else uses ids of this session.
 */
export async function startProcess(session: Session, processId: string, options: StartOptions): Promise<boolean> {
  const { tty = false, arg0, pipeStdin, envPolicy, sandbox, metadata } = options;
  const params = {
    processId,
    argv: options.argv,
    cwd: toFileUri(options.cwd),
    env: options.env ?? {},
    tty: tty !== false,
    arg0: arg0 ?? null,
    ...(typeof tty === 'object' ? tty : {}),
    ...(pipeStdin === undefined ? {} : { pipeStdin }),
    ...(envPolicy === undefined ? {} : { envPolicy }),
    ...(sandbox === undefined ? {} : { sandbox }),
    ...(metadata === undefined ? {} : { metadata }),
  };
  let again = false;
  try {
    resultOf('process/start', startResult, await session.call('process/start', params, options));
  } catch (error) {
    if (!session.willResume(error)) throw error;
    again = true;
  }
  if (again) await session.callAgain('process/start', params, options).catch(unlessStarted);
  return again;
}

/** A server of this package says so in `data.kind`; the reference has only words for it. */
function unlessStarted(error: unknown): void {
  if (!(error instanceof CodemodeError) || error.code !== 'operation-failed') throw error;
  const { code, data, message } = error.data;
  if (code !== rpcCodes.invalidRequest) throw error;
  const kind = isRecord(data) ? data.kind : undefined;
  if (kind === undefined ? !/already exists$/.test(String(message)) : kind !== 'processExists') throw error;
}

export async function readProcess(session: Session, processId: string, options: ReadOptions): Promise<ProcessOutput> {
  const { afterSeq = null, maxBytes = null, waitMs = null } = options;
  const answer = await session.callAgain('process/read', { processId, afterSeq, maxBytes, waitMs }, options);
  return processOutput(resultOf('process/read', readResult, answer));
}

/** In pieces, each behind the answer to the one before. An id for each, so that none is written twice. */
export async function writeProcess(
  session: Session,
  processId: string,
  bytes: Uint8Array,
  newWriteId: () => string,
  options: WriteOptions,
): Promise<WriteStatus> {
  let status: WriteStatus = 'accepted';
  for (let start = 0; start === 0 || start < bytes.length; start += WRITE_BYTES) {
    const end = start + WRITE_BYTES;
    const last = options.eof === true && end >= bytes.length;
    const params = {
      processId,
      chunk: toBase64(bytes.subarray(start, end)),
      writeId: newWriteId(),
      ...(last ? { eof: true } : {}),
    };
    const answer = await session.callAgain('process/write', params, options);
    ({ status } = resultOf('process/write', writeResult, answer));
    if (status !== 'accepted') break;
  }
  return status;
}

export async function terminateProcess(
  session: Session,
  processId: string,
  { graceMs, ...options }: TerminateOptions,
): Promise<TerminateResult> {
  const params = { processId, ...(graceMs === undefined ? {} : { graceMs }) };
  return resultOf('process/terminate', terminateResult, await session.callAgain('process/terminate', params, options));
}

export async function interruptProcess(session: Session, processId: string, options: CallOptions): Promise<void> {
  const params = { processId, signal: 'interrupt' };
  resultOf('process/signal', emptyResult, await session.call('process/signal', params, options));
}

export async function resizeProcess(
  session: Session,
  processId: string,
  size: { readonly rows: number; readonly cols: number },
  options: CallOptions,
): Promise<void> {
  const params = { processId, rows: size.rows, cols: size.cols };
  resultOf('process/resize', emptyResult, await session.callAgain('process/resize', params, options));
}
