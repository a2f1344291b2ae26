/** Every failure this package reports, by code: one sentence each on when it arises. */
export const errorCodes = {
  'spawn-failed':
    'A program could not be started (a host, an exec-server, a command of one, the compiler); nothing ran.',
  'handshake-timeout': 'A host did not answer the hello, or an exec-server the `initialize`, within the limit.',
  'handshake-failed': 'The host ended, or closed its stdout, before it answered the hello.',
  'handshake-rejected': 'The host answered the hello with a rejection.',
  'version-mismatch': 'The host selected a protocol version that was not offered.',
  'protocol-error': 'The peer sent bytes or a message that the protocol does not allow.',
  'host-exited': 'The host process ended while the connection was in use.',
  'host-closed': 'The host closed its stdout and went on running.',
  'write-failed': 'A frame could not be written to the host: its stdin broke or was closed.',
  'queue-full':
    'The host does not read its input: 128 requests, or 16,384 answers to calls of its own, are waiting for it.',
  'connection-closed': 'The connection was closed on this side.',
  'connect-failed': 'An exec-server could not be reached, or refused the connection.',
  'connect-timeout': 'An exec-server did not accept a connection within the limit.',
  'connection-lost': 'The way to an exec-server broke, or the server ended.',
  'mcp-server-failed': 'An MCP server did not start, did not answer `initialize` or `tools/list`, or ended.',
  'operation-failed': 'A host or an exec-server answered a request with an error; the connection lives on.',
  'operation-timeout':
    'A request to a host or an exec-server, a cell of `runCell`, or the compiler took longer than its limit.',
  cancelled: 'The caller gave up, through the AbortSignal that it had given to a call, a cell, or a connection.',
  'session-closed': 'The session of a host is closed, closing, or unknown.',
  'stale-cell': 'The cell belonged to a host that is gone.',
  unsupported: 'A host lacks a capability that the request needs, or there is no compiler that can check types.',
  'frame-too-large': 'A message does not fit into one frame of a host (64 MiB), or one message to an exec-server.',
  'internal-error': 'A fault of this package itself; please report it.',
  'invalid-argument': 'A value handed to this library, or a file that it was told to read, is not usable.',
} as const;

export type ErrorCode = keyof typeof errorCodes;

/** Facts that belong to an error, ready for `JSON.stringify`. */
export type ErrorData = { readonly [name: string]: unknown };

/**
 * The one error class of this package. `message` is one line for people, `code` is for programs, `cause` is what
 * led to it, `data` holds the facts (exit status, bytes seen, stderr tail, …).
 */
export class CodemodeError extends Error {
  override readonly name: string = 'CodemodeError';
  readonly code: ErrorCode;
  readonly data: ErrorData;

  constructor(code: ErrorCode, message: string, options: { cause?: unknown; data?: ErrorData } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.data = options.data ?? {};
  }

  /** What a log should hold: a plain `Error` would leave its message out. */
  toJSON(): { name: string; code: ErrorCode; message: string; data: ErrorData } {
    const { name, code, message, data } = this;
    return { name, code, message, data };
  }

  /** The same failure with a stack of its own, for one more caller that waits for it. */
  copy(): CodemodeError {
    return new CodemodeError(this.code, this.message, { cause: this.cause, data: this.data });
  }
}
