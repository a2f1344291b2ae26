import { CodemodeError, type ErrorData } from '../../errors.js';
import { oneLine, seconds, textOf } from '../connection/messages.js';

// Every sentence this folder says to people.

export const connectTimedOut = (url: string, limitMs: number): CodemodeError =>
  new CodemodeError(
    'connect-timeout',
    `timed out connecting to exec-server websocket ${url} after ${seconds(limitMs)}`,
    { data: { url, limitMs } },
  );

export const connectFailed = (url: string, detail: string, cause?: unknown, data: ErrorData = {}): CodemodeError =>
  new CodemodeError('connect-failed', `failed to connect to exec-server websocket ${url}: ${oneLine(detail)}`, {
    cause,
    data: { url, ...data },
  });

export const connectCancelled = (cause: unknown): CodemodeError =>
  new CodemodeError('cancelled', 'connecting to the exec-server was cancelled', { cause });

export const notAWebSocketUrl = (url: string): CodemodeError =>
  new CodemodeError('invalid-argument', `not the URL of a WebSocket: ${url}`, { data: { url } });

export const fragmentInUrl = (url: string): CodemodeError =>
  new CodemodeError('invalid-argument', `the URL of a WebSocket has no fragment (#…): ${url}`, { data: { url } });

export const badToken = (url: string): CodemodeError =>
  new CodemodeError(
    'invalid-argument',
    `the option token for ${url} must be one word of ASCII letters, digits and punctuation`,
    { data: { url, option: 'token' } },
  );

export const initializeTimedOut = (limitMs: number, cause: unknown): CodemodeError =>
  new CodemodeError(
    'handshake-timeout',
    `timed out waiting for exec-server initialize handshake after ${seconds(limitMs)}`,
    { cause, data: { limitMs } },
  );

/** In the words of the server. */
export const initializeRefused = (cause: CodemodeError): CodemodeError =>
  new CodemodeError('connect-failed', `failed to connect to exec-server: ${cause.message}`, {
    cause,
    data: cause.data,
  });

export const strangeAnswer = (method: string, cause: unknown): CodemodeError =>
  new CodemodeError('protocol-error', `exec-server answered ${method} with something else: ${textOf(cause)}`, {
    cause,
    data: { method },
  });

export const serverEnded = (how: string, data: ErrorData, cause?: unknown): CodemodeError =>
  new CodemodeError('connection-lost', `exec-server transport disconnected: the server ended (${how})`, {
    cause,
    data,
  });

export const spawnFailed = (error: CodemodeError): CodemodeError =>
  new CodemodeError('spawn-failed', error.message.replace('code-mode host', 'exec-server'), {
    cause: error.cause,
    data: error.data,
  });

export const notResumed = (limitMs: number, cause: unknown): CodemodeError =>
  new CodemodeError(
    'connection-lost',
    `exec-server transport disconnected and not resumed within ${seconds(limitMs)}`,
    {
      cause,
      data: { limitMs },
    },
  );

export const resumeRefused = (cause: unknown): CodemodeError =>
  new CodemodeError(
    'connection-lost',
    `exec-server transport disconnected, and its session is gone: ${textOf(cause)}`,
    {
      cause,
    },
  );

export const stateUnknown = (processId: string, cause: unknown): CodemodeError =>
  new CodemodeError('connection-lost', `the output of process ${processId} cannot be followed: ${textOf(cause)}`, {
    cause,
    data: { processId },
  });

export const alreadyStarted = (processId: string): CodemodeError =>
  new CodemodeError('invalid-argument', `this client has a process ${processId} already`, { data: { processId } });

export const noEvents = (processId: string): CodemodeError =>
  new CodemodeError('invalid-argument', `process ${processId} was started without events: read it instead`, {
    data: { processId },
  });

export const notYetImplemented = (method: string): string => `exec-server client does not implement \`${method}\` yet`;
