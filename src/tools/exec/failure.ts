import { CodemodeError } from '../../errors.js';
import { rpcCodes } from '../../exec-server/wire/index.js';
import {
  type Action,
  actionFailedText,
  type Fault,
  noTerminalText,
  serverReasonText,
  shellText,
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

/** What has its words already. */
class ToldError extends CodemodeError {}

const told = ({ error }: Refusal, message: string, path?: string): ToldError =>
  new ToldError(error.code, message, {
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
  /** Finds out what is at a path: its failure, or whether it is a directory. */
  readonly look: (path: string) => Promise<{ readonly isDirectory?: boolean | undefined }>;
}

/** Why a command did not start. The system has one answer for what is wrong with the directory and with the shell. */
export async function startFailure(error: unknown, { shell, workdir, look }: Start): Promise<unknown> {
  const refusal = refusalOf(error);
  if (refusal === undefined) return error;
  const { message, fault } = refusal;
  if (message.includes('@lydell/node-pty')) return told(refusal, noTerminalText(message));
  if (fault === 'other') return told(refusal, serverReasonText(message));
  const there = await look(workdir).catch(refusalOf);
  if (there !== undefined && 'fault' in there) return told(refusal, workdirText(workdir, there.fault), workdir);
  if (there?.isDirectory === false) return told(refusal, workdirText(workdir, 'notDirectory'), workdir);
  const isShell = fault === 'missing' || (there?.isDirectory === true && (await isOpen({ workdir, look })));
  if (isShell) return told(refusal, shellText(shell, fault), shell);
  return told(refusal, actionFailedText('run a command in', workdir, refusal), workdir);
}

/** A directory that may not be entered can be looked at all the same, but nothing in it: not even that it is missing. */
async function isOpen({ workdir, look }: Pick<Start, 'workdir' | 'look'>): Promise<boolean> {
  const inside = await look(`${workdir}/-`).catch(refusalOf);
  return inside === undefined || !('fault' in inside) || inside.fault !== 'denied';
}

/** Whatever else a server refuses, in its own words. */
export function plainly(error: unknown): unknown {
  const refusal = refusalOf(error);
  if (refusal === undefined || error instanceof ToldError) return error;
  return told(refusal, serverReasonText(refusal.message));
}
