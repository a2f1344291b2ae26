import { CodemodeError } from '../../errors.js';
import { errnoOf } from '../../process/os-error.js';

// Every sentence this folder says to people.

export const seconds = (ms: number): string => `${Number((ms / 1_000).toFixed(3))} s`;

/** What others have said becomes a part of one line. */
export const oneLine = (text: string): string => text.trim().replace(/\s*[\r\n\v\f\u0085\u2028\u2029]\s*/g, ' ');

export const connectionLost = (detail: string, cause?: unknown): CodemodeError =>
  new CodemodeError('connection-lost', `exec-server transport disconnected: ${oneLine(detail)}`, { cause });

export const nothingMoves = (limitMs: number): CodemodeError =>
  connectionLost(`the other side has sent more than may wait, and nothing has moved for ${seconds(limitMs)}`);

export const largeAnswerText = (bytes: number, limit: number): string =>
  `the answer would have ${bytes} bytes; this client takes ${limit} in one message`;

export const connectionClosed = (): CodemodeError =>
  new CodemodeError('connection-closed', 'the exec-server connection was closed on this side');

export const violation = (cause: Error): CodemodeError =>
  new CodemodeError('protocol-error', `the peer broke the protocol of the exec-server: ${oneLine(cause.message)}`, {
    cause,
  });

export const unexpectedResponse = (id: unknown): string => `an answer arrived that nobody asked for (id ${String(id)})`;

export const malformedMessage = (cause: unknown): CodemodeError =>
  new CodemodeError('protocol-error', `the exec-server sent a message that cannot be read: ${textOf(cause)}`, {
    cause,
  });

export const complainedAboutUs = (message: string): CodemodeError =>
  new CodemodeError('protocol-error', `the exec-server could not read a message of ours: ${oneLine(message)}`);

export const lineTooLong = (limit: number): CodemodeError =>
  new CodemodeError('protocol-error', `a line has more than ${limit} bytes`, { data: { limit } });

export const frameTooLarge = (limit: number): CodemodeError =>
  new CodemodeError('protocol-error', `a WebSocket frame has more than ${limit} bytes`, { data: { limit } });

export const notUtf8 = (): CodemodeError => new CodemodeError('protocol-error', 'a message is not valid UTF-8');

export const endedMidMessage = (bytes: number): CodemodeError =>
  connectionLost(`the stream ended in the middle of a message, after ${bytes} bytes of it`);

export const noPong = (pings: number): string => `${pings} pings were not answered`;

export const socketClosed = (code: number, reason: string): string =>
  `the WebSocket was closed with code ${code}${reason === '' ? '' : ` (${reason})`}`;

export const streamBroke = (error: Error): CodemodeError => connectionLost(error.message, error);

export const peerEndedStream = (): CodemodeError => connectionLost('the other side ended the stream');

export const callCancelled = (method: string, cause: unknown): CodemodeError =>
  new CodemodeError('cancelled', `the call of ${method} was cancelled`, { cause, data: { method } });

export const callTimedOut = (method: string, limitMs: number): CodemodeError =>
  new CodemodeError('operation-timeout', `exec-server did not answer ${method} within ${seconds(limitMs)}`, {
    data: { method, limitMs },
  });

export const callRejected = (
  method: string,
  error: { readonly code: number; readonly message: string; readonly data?: unknown },
): CodemodeError =>
  new CodemodeError('operation-failed', `exec-server rejected request (${error.code}): ${oneLine(error.message)}`, {
    data: {
      method,
      code: error.code,
      message: error.message,
      ...(error.data === undefined ? {} : { data: error.data }),
    },
  });

export const messageTooLarge = (method: string, bytes: number, limit: number): CodemodeError =>
  new CodemodeError('frame-too-large', `the request ${method} has ${bytes} bytes; a message may have ${limit}`, {
    data: { method, bytes, limit },
  });

export const loneSurrogate = (method: string): CodemodeError =>
  new CodemodeError('invalid-argument', `the request ${method} contains text that is no Unicode (a lone surrogate)`, {
    data: { method },
  });

const listenProblems: Readonly<Record<string, string>> = {
  // In the reference's words, which clients and tests know.
  EADDRINUSE: `Address in use (os error ${errnoOf('EADDRINUSE')})`,
  EADDRNOTAVAIL: 'this machine does not have the address',
  EAFNOSUPPORT: 'this machine has no addresses of this kind',
  EACCES: 'the port may not be used',
  EPERM: 'the port may not be used',
};

export const cannotListen = (host: string, port: number, cause: Error): CodemodeError => {
  const code = 'code' in cause ? String(cause.code) : '';
  const why = Object.hasOwn(listenProblems, code) ? listenProblems[code] : undefined;
  const at = `ws://${host.includes(':') ? `[${host}]` : host}:${port}`;
  return new CodemodeError('connect-failed', `cannot listen on ${at}: ${why ?? oneLine(cause.message)}`, {
    cause,
    data: { host, port },
  });
};

// What follows is in the reference's words, which clients and tests know.

export const upgradeTexts = {
  method: 'Request method must be `GET`',
  connection: "Connection header did not include 'upgrade'",
  upgrade: "`Upgrade` header did not include 'websocket'",
  version: "`Sec-WebSocket-Version` header did not include '13'",
  key: '`Sec-WebSocket-Key` header missing',
} as const;

/** The body of a 401. */
export const authTexts = {
  noToken: 'missing websocket bearer token',
  badHeader: 'invalid authorization header',
  wrongToken: 'invalid websocket bearer token',
  badJwt: 'invalid websocket jwt',
  expiredJwt: 'expired websocket jwt',
  earlyJwt: 'websocket jwt is not valid yet',
  issuer: 'websocket jwt issuer mismatch',
  audience: 'websocket jwt audience mismatch',
} as const;

const badSecret = (message: string, cause?: unknown): CodemodeError =>
  new CodemodeError('invalid-argument', message, { cause });

export const badDigest = (): CodemodeError => badSecret('--ws-token-sha256 must be a 64-character hex SHA-256 digest');

export const shortSecret = (path: string, limit: number): CodemodeError =>
  badSecret(`signed websocket bearer secret ${path} must be at least ${limit} bytes`);

export const unreadableSecret = (path: string, why: string, cause: unknown): CodemodeError =>
  badSecret(`failed to read websocket auth secret ${path}: ${why}`, cause);

export const emptySecret = (path: string): CodemodeError =>
  badSecret(`websocket auth secret ${path} must not be empty`);

export const textOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));
