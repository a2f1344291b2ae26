import { CodemodeError } from '../../errors.js';
import type { Guard } from './guard.js';
import { RpcError, rpcCodes } from './rpc-error.js';

/** Reads the params of a request; what does not fit becomes the answer -32602. Absent params count as null. */
export function readParamsWith<T>(guard: Guard<T>, params: unknown): T {
  try {
    return guard(params ?? null, '');
  } catch (error) {
    if (error instanceof CodemodeError) throw new RpcError(rpcCodes.invalidParams, error.message);
    throw error;
  }
}
