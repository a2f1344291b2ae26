import { accessSync, constants, lstatSync, readlinkSync, type Stats, statSync } from 'node:fs';
import { hints } from './messages.js';
import type { ProgramLocation } from './program.js';
import { shebang } from './program-format.js';

/** Which of the causes that share an errno it was, found out by looking again after the failure. */
export function spawnHint(
  code: string,
  command: { readonly program: string; readonly cwd: string | undefined },
  location: ProgramLocation | undefined,
): string | undefined {
  if (code === 'E2BIG') return hints.tooLong;
  if (code === 'EMFILE' || code === 'ENFILE') return hints.noDescriptors;
  if (!['ENOENT', 'EACCES', 'ENOTDIR'].includes(code)) return undefined;
  if (command.cwd === undefined) return hints.ownCwdMissing;
  if (command.program === '') return hints.emptyName;
  const cwdFault = workingDirectoryHint(command.cwd);
  if (cwdFault !== undefined || location === undefined) return cwdFault;
  const { file } = location;
  if (file === undefined) return hints.notInPath(command.program, location.searched);
  return code === 'EACCES' ? refusedHint(file) : missingHint(file);
}

function workingDirectoryHint(cwd: string): string | undefined {
  try {
    if (!statSync(cwd).isDirectory()) return hints.cwdNotDirectory(cwd);
  } catch {
    return hints.cwdMissing(cwd);
  }
  return mayExecute(cwd) ? undefined : hints.cwdForbidden(cwd);
}

function refusedHint(file: string): string {
  const stats = lookAt(file);
  if (stats?.isDirectory() === true) return hints.isDirectory(file);
  return stats === undefined || mayExecute(file) ? hints.forbidden(file) : hints.notExecutable(file);
}

function missingHint(file: string): string {
  if (lookAt(file) === undefined) return absentHint(file);
  const script = shebang(file);
  if (script === undefined) return hints.loaderMissing(file);
  if (script.carriageReturn) return hints.carriageReturn(file);
  return hints.interpreterMissing(script.interpreter, file);
}

function absentHint(file: string): string {
  try {
    if (lstatSync(file).isSymbolicLink()) return hints.danglingLink(file, readlinkSync(file));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOTDIR') return hints.pathThroughFile(file);
  }
  return hints.notFound(file);
}

function lookAt(file: string): Stats | undefined {
  try {
    return statSync(file);
  } catch {
    return undefined;
  }
}

function mayExecute(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
