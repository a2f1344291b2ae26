import type { ErrorData } from '../errors.js';

/** Why a server, or one exchange with it, failed: not yet said of which server and which tool. */
export class ServerFault extends Error {
  override readonly name = 'ServerFault';
  readonly data: ErrorData;

  constructor(reason: string, options: { readonly cause?: unknown; readonly data?: ErrorData | undefined } = {}) {
    super(reason, options.cause === undefined ? undefined : { cause: options.cause });
    this.data = options.data ?? {};
  }
}

/** The server answered a request with an error of JSON-RPC: the connection is well. */
export class RpcErrorAnswer extends Error {
  override readonly name = 'RpcErrorAnswer';
  readonly code: unknown;

  constructor(code: unknown, message: string) {
    super(message);
    this.code = code;
  }
}

export const asFault = (error: unknown): ServerFault => {
  if (error instanceof ServerFault) return error;
  return new ServerFault(error instanceof Error ? error.message : String(error), { cause: error });
};
