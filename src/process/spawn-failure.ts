import { CodemodeError } from '../errors.js';
import { displayPath } from './display-path.js';
import { nulByteText, spawnFailureText } from './messages.js';
import { describeOsError, errnoOf } from './os-error.js';
import type { ProgramLocation } from './program.js';
import { spawnHint } from './spawn-hint.js';

export interface FailedSpawn {
  readonly program: string;
  /** Undefined when we have no working directory ourselves. */
  readonly cwd: string | undefined;
  readonly location?: ProgramLocation | undefined;
  /** `ENOENT` and the like, where there is one. */
  readonly code: string | undefined;
  readonly cause?: unknown;
  /** Where the caller knows more than looking again would tell. */
  readonly hint?: string;
}

/** The one error for a host that did not start, whether the system said so in an exception, in an event, or we saw it coming. */
export function spawnFailure(failed: FailedSpawn): CodemodeError {
  const { program, code, cause } = failed;
  const reason = code === undefined ? textOf(cause) : (describeOsError(code) ?? textOf(cause));
  return new CodemodeError('spawn-failed', spawnFailureText(displayPath(program), reason), {
    ...(cause === undefined ? {} : { cause }),
    data: {
      path: program,
      cwd: failed.cwd,
      errno: code === undefined ? undefined : errnoOf(code),
      code,
      hint: failed.hint ?? (code === undefined ? undefined : spawnHint(code, failed, failed.location)),
    },
  });
}

/** No system call was made: the name, an argument, or a variable can not be handed to one. */
export function nulByteFailure(program: string, cwd: string | undefined): CodemodeError {
  return new CodemodeError('spawn-failed', spawnFailureText(displayPath(program), nulByteText), {
    data: { path: program, cwd, errno: undefined, code: undefined, hint: undefined },
  });
}

const textOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));

export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
