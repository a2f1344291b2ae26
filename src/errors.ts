/** Every failure this package reports, by code: one sentence each on when it arises. */
export const errorCodes = {
  'spawn-failed': 'The host program could not be started; nothing ran.',
  'handshake-timeout': 'The host did not answer the hello within the limit.',
  'handshake-failed': 'The host ended, or closed its stdout, before it answered the hello.',
  'handshake-rejected': 'The host answered the hello with a rejection.',
  'version-mismatch': 'The host selected a protocol version that was not offered.',
  'protocol-error': 'The peer sent bytes or a message that the protocol does not allow.',
  'host-exited': 'The host process ended while the connection was in use.',
  'host-closed': 'The host closed its stdout and went on running.',
  'write-failed': 'A frame could not be written to the host.',
  'queue-full': 'The host does not read its input: 128 frames are waiting for it.',
  'connection-closed': 'The connection was closed on this side.',
  'connect-failed': 'An exec-server could not be reached, or refused the connection.',
  'connect-timeout': 'An exec-server did not accept a connection within the limit.',
  'connection-lost': 'The way to an exec-server broke, or the server ended.',
  'mcp-server-failed': 'An MCP server did not start, did not answer `initialize` or `tools/list`, or ended.',
  'operation-failed': 'The host answered a request with an error; the connection lives on.',
  'operation-timeout': 'The host did not answer a request within its limit.',
  cancelled: 'The caller gave up through its AbortSignal.',
  'session-closed': 'The session is closed, closing, or unknown.',
  'stale-cell': 'The cell belonged to a host that is gone.',
  unsupported: 'The host lacks a capability that the request needs.',
  'frame-too-large': 'A message does not fit into one frame.',
  'internal-error': 'A fault of this package itself; please report it.',
  'invalid-argument': 'A value handed to this library is not usable.',
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
