import { CodemodeError } from '../../errors.js';
import { rpcCodes } from '../../exec-server/wire/index.js';
import {
  type Action,
  actionFailedText,
  type Fault,
  noTerminalText,
  serverReasonText,
  shellMissingText,
  workdirText,
} from './messages.js';

/** What an exec-server has refused, as it said it. */
interface Refusal {
  readonly error: CodemodeError;
  readonly message: string;
  readonly fault: Fault;
}

/** Undefined: it was not the server that refused. */
function refusalOf(error: unknown): Refusal | undefined {
  if (!(error instanceof CodemodeError) || error.code !== 'operation-failed') return undefined;
  const { message } = error.data;
  return typeof message === 'string' ? { error, message, fault: faultOf(error, message) } : undefined;
}

/** Servers say it with a number, a name, or words only. */
function faultOf({ data }: CodemodeError, message: string): Fault {
  const { errno } = Object(data.data) as { readonly errno?: unknown };
  if (data.code === rpcCodes.notFound || /No such file|os error 2\)/i.test(message)) return 'missing';
  if (errno === 'EACCES' || errno === 'EPERM' || /permission denied|not permitted/i.test(message)) return 'denied';
  if (errno === 'EISDIR' || /is a directory|is not a file$/i.test(message)) return 'notFile';
  if (errno === 'ENOTDIR' || /not a directory/i.test(message)) return 'notDirectory';
  return 'other';
}

const told = ({ error }: Refusal, message: string, path?: string): CodemodeError =>
  new CodemodeError(error.code, message, {
    cause: error,
    data: path === undefined ? error.data : { ...error.data, path },
  });

/** What the work gives, or its failure in words that name the path, for a model that cannot see what was asked. */
export async function naming<T>(action: Action, path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const refusal = refusalOf(error);
    throw refusal === undefined ? error : told(refusal, actionFailedText(action, path, refusal), path);
  }
}

export interface Start {
  readonly shell: string;
  readonly workdir: string;
  /** Finds out what the working directory is: its failure, or whether it is a directory. */
  readonly look: () => Promise<{ readonly isDirectory?: boolean | undefined }>;
}

/** Why a command did not start. The system has one answer for a missing directory and a missing shell, so both are looked at. */
export async function startFailure(error: unknown, { shell, workdir, look }: Start): Promise<unknown> {
  const refusal = refusalOf(error);
  if (refusal === undefined) return error;
  const { message, fault } = refusal;
  if (message.includes('@lydell/node-pty')) return told(refusal, noTerminalText(message));
  if (fault === 'other') return told(refusal, serverReasonText(message));
  const there = await look().catch(refusalOf);
  if (there !== undefined && 'fault' in there) return told(refusal, workdirText(workdir, there.fault), workdir);
  if (there?.isDirectory === false) return told(refusal, workdirText(workdir, 'notDirectory'), workdir);
  if (fault === 'missing') return told(refusal, shellMissingText(shell), shell);
  return told(refusal, actionFailedText('run a command in', workdir, refusal), workdir);
}

/** Whatever else a server refuses, in its own words. */
export function plainly(error: unknown): unknown {
  const refusal = refusalOf(error);
  // What names a path has been told already.
  if (refusal === undefined || refusal.error.cause instanceof CodemodeError) return error;
  return told(refusal, serverReasonText(refusal.message));
}
