import { describeOsError, errnoOf } from '../../process/os-error.js';
import { RpcError, rpcCodes } from '../wire/index.js';

// Worded as the reference's C library does, which is not that of most systems.
const texts: { readonly [code: string]: string } = {
  EBADF: 'Bad file descriptor',
  EEXIST: 'File exists',
  EFBIG: 'File too large',
  ELOOP: 'Symbolic link loop',
  ENAMETOOLONG: 'Filename too long',
  ENOSPC: 'No space left on device',
  ENOTEMPTY: 'Directory not empty',
  EROFS: 'Read-only file system',
  EXDEV: 'Cross-device link',
};

/** The answer to a file request that the system refused; other errors stay what they are. */
export function fileError(cause: unknown): unknown {
  if (!(cause instanceof Error) || !('code' in cause) || typeof cause.code !== 'string') return cause;
  const { code } = cause;
  const number = errnoOf(code);
  if (number === undefined) return cause;
  const text = Object.hasOwn(texts, code) ? `${texts[code]} (os error ${number})` : describeOsError(code);
  const message = text ?? cause.message;
  if (code === 'ENOENT') return new RpcError(rpcCodes.notFound, message);
  const denied = code === 'EACCES' || code === 'EPERM';
  // One number stands for several faults; the name tells them apart.
  return new RpcError(denied ? rpcCodes.invalidRequest : rpcCodes.internal, message, { errno: code });
}

/** What the system would answer, where it was not asked. */
export const systemError = (code: string): unknown => fileError(Object.assign(new Error(code), { code }));

/** The result of `work`, or the answer that its failure deserves. */
export async function answering<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw fileError(error);
  }
}

export const invalidFile = (message: string): RpcError => new RpcError(rpcCodes.invalidRequest, message);
