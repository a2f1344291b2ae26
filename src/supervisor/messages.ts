import { CodemodeError, type ErrorData } from '../errors.js';
import { describeExit, type ExitStatus } from '../process/exit-status.js';
import { stderrLine } from '../process/stderr-line.js';

/** Every text for people that this folder makes, but for those of `run-cell`. */

export interface HandshakeFacts {
  readonly program: string;
  readonly pid: number;
  /** How the host ended before anybody ended it; undefined while it lives. */
  readonly exit: ExitStatus | undefined;
  readonly elapsedMs: number;
  readonly stderr: string;
}

/** What the process adds to a handshake that failed: the connection knows only bytes. */
export function withFacts(error: CodemodeError, facts: HandshakeFacts): CodemodeError {
  const { program, pid, exit, elapsedMs, stderr } = facts;
  const data: ErrorData = { ...error.data, program, pid, exit: exit ?? null, elapsedMs, stderr };
  return new CodemodeError(error.code, error.message + appendix(error, facts), { cause: error.cause, data });
}

function appendix(error: CodemodeError, { exit: status, elapsedMs, stderr }: HandshakeFacts): string {
  const exit = status === undefined ? undefined : describeExit(status);
  const tail = stderrLine(stderr);
  const said = tail === '' ? '' : `; stderr: ${tail}`;
  const after = `after ${Math.round(elapsedMs)} ms`;
  if (error.code === 'handshake-failed') {
    return `: ${exit === undefined ? `it closed its stdout and runs on, ${after}` : `${exit} ${after}`}${said}`;
  }
  if (error.code === 'handshake-timeout') {
    const state = exit ?? 'still running';
    return `: no answer ${after}, ${Number(error.data.stdoutBytes ?? 0)} bytes on stdout, ${state}${said}`;
  }
  return '';
}

/** A missing directory would else look like a missing program; the hint tells them apart. */
export function withDirectory(error: CodemodeError): CodemodeError {
  const { cwd, hint } = error.data;
  if (error.code !== 'spawn-failed' || typeof cwd !== 'string' || typeof hint !== 'string') return error;
  if (!hint.endsWith(`: ${cwd}`)) return error;
  return new CodemodeError(error.code, `${error.message}; ${hint}`, { cause: error.cause, data: error.data });
}

export const hostClosed = () => new CodemodeError('connection-closed', 'code-mode host connection closed');

/** The logical session's words; the connection has its own, with a hyphen. */
export const shuttingDown = () => new CodemodeError('session-closed', 'code mode session is shutting down');

export const requestCancelled = (cause: unknown) =>
  new CodemodeError('cancelled', 'code-mode request cancelled', { cause });

/** Whatever a lower layer rejected with, as the one error class, with a stack of its own. */
export function asFailure(error: unknown): CodemodeError {
  if (error instanceof CodemodeError) return error.copy();
  const text = error instanceof Error ? error.message : String(error);
  return new CodemodeError('internal-error', text, { cause: error });
}

export const definitionsWords = 'an array of definitions, such as `toolbox.definitions`';

export const definitionNotJson = (tool: string, why: string, cause: unknown) =>
  new CodemodeError('invalid-argument', `tool \`${tool}\`: its definition is not JSON: ${why}`, {
    cause,
    data: { tool },
  });

export const definitionTooLarge = (tool: string, cause: CodemodeError) =>
  new CodemodeError(cause.code, `tool \`${tool}\`: its definition is too large: ${cause.message}`, {
    cause,
    data: { ...cause.data, tool },
  });

export const holdTooLate = () =>
  new CodemodeError('invalid-argument', 'the call is answered: its cell is not held any more');
