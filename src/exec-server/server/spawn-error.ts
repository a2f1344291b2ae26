import { describeOsError } from '../../process/os-error.js';
import { RpcError, rpcCodes } from '../wire/index.js';

const kinds: { readonly [code: string]: string } = {
  ENOENT: 'spawnNotFound',
  EACCES: 'spawnPermissionDenied',
  EPERM: 'spawnPermissionDenied',
};

/** The answer to a start that the system refused, from whatever was thrown or emitted. */
export function spawnError(cause: unknown): RpcError {
  const code = cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
  const text = describeOsError(code) ?? (cause instanceof Error ? cause.message : String(cause));
  return new RpcError(rpcCodes.internal, text, { kind: kinds[code] ?? 'spawnFailed' });
}

/** The answer to a start that we refuse ourselves. */
export const refusedSpawn = (message: string, kind = 'spawnFailed'): RpcError =>
  new RpcError(rpcCodes.internal, message, { kind });

/** The answer that the system would give, where it has no way to. */
export function spawnErrorOf(code: 'ENOENT' | 'EACCES' | 'ENOTDIR'): RpcError {
  return spawnError(Object.assign(new Error(code), { code }));
}
