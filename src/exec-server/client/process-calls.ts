import { CodemodeError } from '../../errors.js';
import { isLimit, isText, isTexts, limitWords, maybeArgument, needArgument } from '../../names/argument.js';
import { checkOptionNames, type OptionNames } from '../../names/option-names.js';
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
import { checkCallOptions } from './call-options.js';
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
  /** Only what has a higher number; `nextSeq - 1` of one answer goes on behind it. Default: 0, everything that is retained. */
  readonly afterSeq?: number | undefined;
  /** Of output, in bytes; but one chunk, of at most 8 KiB, always comes where there is one. Default: no limit. */
  readonly maxBytes?: number | undefined;
  /** How long (ms) the server waits where there is nothing to tell yet. Default: 0. */
  readonly waitMs?: number | undefined;
}

export interface WriteOptions extends CallOptions {
  /** Closes stdin behind the data; for servers that know it. A terminal gets the end of transmission. Default: false. */
  readonly eof?: boolean | undefined;
}

export interface TerminateOptions extends CallOptions {
  /**
   * TERM first, KILL after so many ms, 600,000 at most; of several the soonest counts. For servers that know it. Default: KILL
   * at once.
   */
  readonly graceMs?: number | undefined;
}

const knownOfStart: OptionNames<StartOptions> = {
  argv: true,
  cwd: true,
  env: true,
  envPolicy: true,
  tty: true,
  pipeStdin: true,
  arg0: true,
  processId: true,
  sandbox: true,
  metadata: true,
  events: true,
  signal: true,
  timeoutMs: true,
};
const knownOfPolicy: OptionNames<EnvironmentPolicy> = {
  inherit: true,
  ignoreDefaultExcludes: true,
  exclude: true,
  set: true,
  includeOnly: true,
};

/** Throws `invalid-argument` for options that are none, or misspelt. */
export function checkStartOptions(options: StartOptions): void {
  checkOptionNames('start', options, knownOfStart);
  const { argv, cwd, tty, envPolicy, timeoutMs } = options;
  needArgument('start', 'argv', argv, isTexts, 'an array of strings');
  needArgument('start', 'cwd', cwd, isText, 'a string');
  maybeArgument('start', 'timeoutMs', timeoutMs, isLimit, limitWords);
  if (typeof tty === 'object') checkOptionNames('start', tty, { rows: true, cols: true }, 'tty');
  if (envPolicy !== undefined) checkOptionNames('start', envPolicy, knownOfPolicy, 'envPolicy');
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
  checkCallOptions('read', options, { afterSeq: true, maxBytes: true, waitMs: true });
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
  checkCallOptions('write', options, { eof: true });
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
  given: TerminateOptions,
): Promise<TerminateResult> {
  checkCallOptions('terminate', given, { graceMs: true });
  const { graceMs, ...options } = given;
  const params = { processId, ...(graceMs === undefined ? {} : { graceMs }) };
  return resultOf('process/terminate', terminateResult, await session.callAgain('process/terminate', params, options));
}

export async function interruptProcess(session: Session, processId: string, options: CallOptions): Promise<void> {
  checkCallOptions('interrupt', options, {});
  const params = { processId, signal: 'interrupt' };
  resultOf('process/signal', emptyResult, await session.call('process/signal', params, options));
}

export async function resizeProcess(
  session: Session,
  processId: string,
  size: { readonly rows: number; readonly cols: number },
  options: CallOptions,
): Promise<void> {
  checkOptionNames('resize', size, { rows: true, cols: true });
  checkCallOptions('resize', options, {});
  const params = { processId, rows: size.rows, cols: size.cols };
  resultOf('process/resize', emptyResult, await session.callAgain('process/resize', params, options));
}
