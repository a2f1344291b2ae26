import { CodemodeError } from '../../errors.js';
import { EncodedResult, type OutgoingMessage } from './encoded-result.js';
import { InexactNumber, isRecord } from './guard.js';
import { parseJson } from './parse-json.js';
import type { RpcErrorBody } from './rpc-error.js';

/** Echoed as it came; a bigint where a number cannot hold it. */
export type RpcId = string | number | bigint;

export interface RpcRequest {
  readonly kind: 'request';
  readonly id: RpcId;
  readonly method: string;
  readonly params: unknown;
}

export interface RpcNotification {
  readonly kind: 'notification';
  readonly method: string;
  readonly params: unknown;
}

export interface RpcResponse {
  readonly kind: 'response';
  readonly id: RpcId;
  readonly result: unknown;
}

export interface RpcErrorResponse {
  readonly kind: 'error';
  readonly id: RpcId;
  readonly error: RpcErrorBody;
}

export type RpcMessage = RpcRequest | RpcNotification | RpcResponse | RpcErrorResponse;

/** The id of an answer to a message that could not be read. */
export const MALFORMED_ID = -1;

const fault = (message: string): never => {
  throw new CodemodeError('protocol-error', message);
};

/**
 * One message from its text, with at most `maxValues` JSON values (default: 262,144). Throws `protocol-error`, in the words
 * of the reference, for what is none.
 */
export function parseMessage(source: string, maxValues?: number): RpcMessage {
  const value = parseJson(source, 'object', maxValues);
  if (!isRecord(value)) return fault('expected a JSON-RPC object');
  if ('method' in value) return call(value);
  if ('result' in value) return { kind: 'response', id: idOf(value), result: value.result };
  if (!('error' in value)) return fault('missing field `error`');
  return { kind: 'error', id: idOf(value), error: errorBody(value.error) };
}

type Record_ = Readonly<Record<string, unknown>>;

function call(value: Record_): RpcMessage {
  const { method, params = null, trace } = value;
  const id = 'id' in value ? idOf(value) : undefined;
  if (typeof method !== 'string') return fault(`invalid type: ${kindOf(method)}, expected a string`);
  if (trace !== undefined && trace !== null) checkTrace(trace);
  return id === undefined ? { kind: 'notification', method, params } : { kind: 'request', id, method, params };
}

function idOf(value: Record_): RpcId {
  if (!('id' in value)) return fault('missing field `id`');
  const { id } = value;
  if (typeof id === 'string') return id;
  if (typeof id === 'number' && Number.isSafeInteger(id)) return id;
  if (typeof id === 'bigint' && BigInt.asIntN(64, id) === id) return id;
  return fault('data did not match any variant of untagged enum RequestId');
}

/** W3C trace context: looked at, so that nonsense is refused, and not used. */
function checkTrace(trace: unknown): void {
  if (!isRecord(trace) || trace instanceof InexactNumber) {
    fault(`invalid type: ${kindOf(trace)}, expected struct W3cTraceContext`);
    return;
  }
  for (const name of ['traceparent', 'tracestate']) {
    const member = trace[name];
    if (member !== undefined && member !== null && typeof member !== 'string') {
      fault(`invalid type: ${kindOf(member)}, expected a string`);
    }
  }
}

/** Lenient: what a peer forgot to say about its error is no reason to lose the connection. */
function errorBody(error: unknown): RpcErrorBody {
  if (!isRecord(error)) return fault(`invalid type: ${kindOf(error)}, expected an error object`);
  const { code, message, data } = error;
  return {
    code: typeof code === 'number' && Number.isSafeInteger(code) ? code : 0,
    message: typeof message === 'string' ? message : '',
    ...(data === undefined ? {} : { data }),
  };
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'sequence';
  if (value instanceof InexactNumber || typeof value === 'bigint') return 'number';
  return typeof value === 'object' ? 'map' : typeof value;
}

const idText = (id: RpcId): string => (typeof id === 'string' ? JSON.stringify(id) : id.toString());

/** Members in the order of the reference. */
export function encodeResult(id: RpcId, result: unknown): OutgoingMessage {
  const head = `{"id":${idText(id)},"result":`;
  if (result instanceof EncodedResult) return [Buffer.from(head), ...result.parts, Buffer.from('}')];
  return `${head}${JSON.stringify(result) ?? 'null'}}`;
}

export const encodeError = (id: RpcId, error: RpcErrorBody): string =>
  `{"error":${JSON.stringify(error)},"id":${idText(id)}}`;

export const encodeRequest = (id: number, method: string, params: unknown): string =>
  JSON.stringify({ id, method, params });

export const encodeNotification = (method: string, params: unknown): string => JSON.stringify({ method, params });
