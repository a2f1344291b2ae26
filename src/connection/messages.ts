import { CodemodeError, type ErrorCode, type ErrorData } from '../errors.js';
import type { HostMessage, Id } from '../protocol/index.js';
import type { PeerEnd } from './bytes.js';

/** Every text for people that this folder makes. Fixed parts are the reference client's words. */

const MAX_SHOWN_BYTES = 512;

/** What the operating system says, in the reference's spelling. Node's own texts differ. */
const osTexts: { readonly [code: string]: string } = {
  EPIPE: 'Broken pipe (os error 32)',
  ECONNRESET: 'Connection reset by peer (os error 104)',
};

export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = (error as { code?: unknown }).code;
  return (typeof code === 'string' ? osTexts[code] : undefined) ?? (error.message || error.name);
}

function dataOf(error: unknown): ErrorData {
  return error instanceof CodemodeError ? error.data : {};
}

function make(code: ErrorCode, message: string, cause?: unknown, data?: ErrorData): CodemodeError {
  return new CodemodeError(code, message, {
    ...(cause === undefined ? {} : { cause }),
    data: { ...dataOf(cause), ...data },
  });
}

// Reading and writing

function readDetail(error: unknown): string {
  const data = dataOf(error);
  if (typeof data.detail === 'string') return `${errorText(error)}: ${data.detail}`;
  if (typeof data.text === 'string')
    return `${errorText(error)}, text "${data.text}…" after frame ${Number(data.frame) - 1}`;
  return errorText(error);
}

export const unreadableMessage = (cause: unknown) =>
  make('protocol-error', `failed to read code-mode host message: ${readDetail(cause)}`, cause);

export const readFailed = (cause: unknown) =>
  make('host-closed', `failed to read code-mode host message: ${errorText(cause)}`, cause);

export const closedStdout = () => make('host-closed', 'code-mode host closed its stdout');

export const writeFailed = (cause: unknown) =>
  make('write-failed', `failed to write code-mode host message: ${errorText(cause)}`, cause);

export const writerClosed = () => make('write-failed', 'code-mode host writer closed');

export const queueFull = (waiting: number) =>
  make('queue-full', 'code-mode host outgoing queue is full', undefined, { waiting });

export const peerLost = (cause: unknown) =>
  make('host-exited', `failed waiting for code-mode host: ${errorText(cause)}`, cause);

export const exited = (end: PeerEnd, cause: CodemodeError | undefined) =>
  make('host-exited', `code-mode host exited with status ${end.status}`, cause, end.data);

/** The output ended inside a frame and the peer ended by itself: the bytes are the fault, the status is added. */
export const withStatus = (error: CodemodeError, end: PeerEnd) =>
  make(error.code, `${error.message}; ${end.status}`, error.cause, { ...error.data, ...end.data });

export const closedHere = () => make('connection-closed', 'code-mode host connection closed');

// Handshake

/** Compact JSON of at most 512 bytes. */
export function brief(value: unknown): string {
  const text = JSON.stringify(value, (_, field: unknown) => (typeof field === 'bigint' ? String(field) : field));
  const bytes = new TextEncoder().encode(text);
  if (bytes.byteLength <= MAX_SHOWN_BYTES) return text;
  const cut = new TextDecoder().decode(bytes.subarray(0, MAX_SHOWN_BYTES - 3), { stream: true });
  return `${cut}…`;
}

export const handshakeTimeout = (limitMs: number) =>
  make('handshake-timeout', 'timed out negotiating with the code-mode host', undefined, { limitMs });

export const exitedInHandshake = (cause: CodemodeError | undefined, end: PeerEnd | undefined) =>
  make('handshake-failed', 'code-mode host exited during handshake', cause, end?.data);

export const withData = (error: CodemodeError, data: ErrorData) =>
  make(error.code, error.message, error.cause, { ...error.data, ...data });

export const helloNotWritten = (cause: unknown) =>
  make('write-failed', `failed to write code-mode host hello: ${errorText(cause)}`, cause);

export const helloNotRead = (cause: unknown) =>
  make('handshake-failed', `failed to read code-mode host hello: ${errorText(cause)}`, cause);

export function unreadableHello(cause: unknown): CodemodeError {
  const text = dataOf(cause).text;
  const what =
    typeof text === 'string'
      ? `expected a hello frame, got text "${text}…" (log to stderr, not stdout)`
      : errorText(cause) + (typeof dataOf(cause).detail === 'string' ? `: ${dataOf(cause).detail}` : '');
  return make('protocol-error', `failed to read code-mode host hello: ${what}`, cause);
}

export const handshakeRejected = (reason: unknown) =>
  make('handshake-rejected', `code-mode host rejected the handshake: ${brief(reason)}`, undefined, { reason });

export const notAHello = (message: HostMessage) =>
  make('protocol-error', `code-mode host returned an invalid handshake response: ${brief(message)}`);

export const otherVersion = (message: HostMessage, selected: number, offered: number) =>
  make(
    'version-mismatch',
    `code-mode host returned an invalid handshake response: ${brief(message)} (the host speaks version ${selected}, this client version ${offered})`,
    undefined,
    { selected, offered },
  );

// Violations: each ends the connection

const violation = (text: string, data?: ErrorData) => make('protocol-error', text, undefined, data);

export const secondHandshake = () => violation('code-mode host sent a second handshake response');
export const unknownRequest = (id: Id) => violation(`code-mode host returned unknown request ID RequestId(${id})`);
export const invalidResponse = (to: 'open-session' | 'execute' | 'cell' | 'shutdown') =>
  violation(`code-mode host returned an invalid ${to} response`);
export const liveCellReused = (cell: string, session: string) =>
  violation(`code-mode host reused live cell ${cell} in session ${session}`);
export const otherCell = (got: string, asked: string) =>
  violation(`code-mode host returned cell ${got} for request targeting ${asked}`);
export const unknownInitial = (id: Id) =>
  violation(`code-mode host returned initial response for unknown request ID RequestId(${id})`);
export const otherInitial = (got: string, expected: string) =>
  violation(`code-mode host returned initial response for cell ${got} instead of ${expected}`);
export const closedUnknownCell = (session: string) =>
  violation(`code-mode host closed unknown cell in session ${session}`);
export const closedInUnknownSession = (cell: string, session: string) =>
  violation(`code-mode host closed cell ${cell} in unknown session ${session}`);
export const duplicateDelegate = (id: Id) =>
  violation(`duplicate code-mode delegate request ID DelegateRequestId(${id})`);
export const tooManyEarly = () => violation('code-mode host exceeded deferred cross-socket message limit');
export const driverFailed = (cause: unknown) =>
  make('protocol-error', `code-mode connection driver task failed: ${errorText(cause)}`, cause);

// Answers to the host's calls

export const unknownCell = (cell: string, session: string) =>
  `code-mode host delegated for unknown cell ${cell} in session ${session}`;
export const unknownDelegateSession = (session: string) => `code-mode host delegated for unknown session ${session}`;
export const tooManyCalls = (limit: number) => `code-mode host exceeded the limit of ${limit} pending delegate calls`;
export const answerTooLong = (cause: unknown) =>
  `code-mode delegate response exceeds the IPC frame limit: ${errorText(cause)}`;
export const delegateFailed = (what: string) => `code-mode delegate task failed: ${what}`;
export const silentErrorText = 'an error without a message';
export const unshowableText = 'it threw a value that cannot be shown';
export const callRevoked = () => make('cancelled', 'the code-mode host no longer wants an answer to this call');

// Answers to callers

export const cancelled = (cause: unknown) => make('cancelled', 'code-mode request cancelled', cause);
export const refusedByHost = (text: string) => make('operation-failed', text);
/** About a cell. For an answer that no frame can hold hosts have the same words, which name neither the cell nor a remedy. */
export const refusedOfCell = (text: string, cellId: string) =>
  text.includes('exceeds the IPC frame limit')
    ? make('operation-failed', `${text}; cell ${cellId} must put it out in smaller pieces`, undefined, { cellId })
    : make('operation-failed', text, undefined, { cellId });
export const sessionOpenAlready = (id: string) => make('session-closed', `code-mode session ${id} is already open`);
export const unknownSession = (id: string) => make('session-closed', `unknown code-mode session ${id}`);
export const staleSession = () => make('session-closed', 'stale code-mode session generation');
export const sessionShuttingDown = () => make('session-closed', 'code-mode session is shutting down');
export const sessionClosing = () => make('session-closed', 'code-mode session is already closing');
export const closedDuringExecute = () => make('session-closed', 'code-mode session closed during execute');
export const runtimeEnded = () => make('session-closed', 'exec runtime ended unexpectedly');
export const staleCell = (id: string) => make('stale-cell', `cell ${id} belongs to a stale code-mode host generation`);

export const limitsUnsupported = () =>
  make(
    'unsupported',
    'code-mode host does not support session resource limits: missing `session-cell-execution-resource-limits` capability',
  );

/** A request that cannot be written as one frame; the connection lives. */
export function unsendable(what: 'open-session' | 'execute' | 'session', cause: unknown): CodemodeError {
  const code = cause instanceof CodemodeError ? cause.code : 'invalid-argument';
  const tooLarge = code === 'frame-too-large';
  if (what === 'open-session')
    return make(code, `failed to encode code-mode open-session request: ${errorText(cause)}`, cause);
  const name = what === 'execute' ? 'code-mode execute request' : 'code-mode request';
  const text = tooLarge ? `${name} exceeds the IPC frame limit` : `failed to encode ${name}`;
  return make(code, `${text}: ${errorText(cause)}`, cause);
}

export const limitsNotEncodable = (cause: unknown) =>
  make('invalid-argument', `failed to encode code-mode session execution limits: ${errorText(cause)}`, cause);

export const notAnInteger = (name: string, value: unknown, max: number) =>
  make('invalid-argument', `${name} must be an integer from 0 to ${max}, got ${String(value)}`);

/** The reference's words for the two limits it has; ours name the limit. */
export function requestTimeout(what: 'wait' | 'terminate', limitMs: number): CodemodeError {
  return make('operation-timeout', `code-mode host timed out waiting for ${what} response`, undefined, { limitMs });
}

export function limitExceeded(limit: string, ms: number, event: string): CodemodeError {
  return make('operation-timeout', `code-mode host ${event} within ${ms} ms (limit ${limit})`, undefined, {
    limit,
    limitMs: ms,
  });
}

/** A reason of our own passes as it is; a caller's becomes `cancelled`. */
export const givenUp = (reason: unknown) => (reason instanceof CodemodeError ? reason.copy() : cancelled(reason));

export const badRequest = (cause: unknown) => make('invalid-argument', errorText(cause), cause);

export const badCellId = (value: unknown) =>
  make('invalid-argument', `a cell id must be a string, got ${value === null ? 'null' : typeof value}`);
