import { CodemodeError, type ErrorData } from '../errors.js';
import { describeExit, type ExitStatus } from '../process/exit-status.js';

/** Every text for people that this folder makes, but for those of `run-cell`. */

const SHOWN_STDERR_LINES = 5;
const SHOWN_STDERR_CHARACTERS = 400;

/** Lines of a crash report that say nothing alone: empty ones, stack frames, carets, Node's last line. */
const NOISE = /^($|at .+:\d+|\^+$|Node\.js v\d)/;

/** The end of a host's stderr on one line: the last lines say why it gave up. */
function stderrLine(text: string): string {
  const lines = text.split('\n').map((line) => line.trim());
  const telling = lines.filter((line) => !NOISE.test(line));
  const shown = telling.slice(-SHOWN_STDERR_LINES).join(' | ');
  return shown.length > SHOWN_STDERR_CHARACTERS ? `…${shown.slice(-SHOWN_STDERR_CHARACTERS)}` : shown;
}

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

export const hostClosed = () => new CodemodeError('connection-closed', 'code-mode host connection closed');

/** The logical session's words; the connection has its own, with a hyphen. */
export const shuttingDown = () => new CodemodeError('session-closed', 'code mode session is shutting down');

export const requestCancelled = (cause: unknown) =>
  new CodemodeError('cancelled', 'code-mode request cancelled', { cause });

export const invalidTimeout = (name: string, value: unknown) =>
  new CodemodeError('invalid-argument', `${name} must be a number of ms above 0, or Infinity, got ${String(value)}`);

/** Whatever a lower layer rejected with, as the one error class, with a stack of its own. */
export function asFailure(error: unknown): CodemodeError {
  if (error instanceof CodemodeError) return error.copy();
  const text = error instanceof Error ? error.message : String(error);
  return new CodemodeError('internal-error', text, { cause: error });
}

export const notAString = (name: string, value: unknown) =>
  new CodemodeError('invalid-argument', `${name} must be a string, got ${value === null ? 'null' : typeof value}`, {
    data: { option: name },
  });

export const notA = (name: string, what: string) =>
  new CodemodeError('invalid-argument', `${name} must be ${what}`, { data: { option: name } });

export const notOptions = (prefix: string, value: unknown) => {
  const place = prefix === '' ? 'the options' : prefix.replace(/\.$/, '');
  const kind = value === null ? 'null' : Array.isArray(value) ? 'an array' : typeof value;
  return new CodemodeError('invalid-argument', `${place} must be an object, got ${kind}`);
};

export const unknownOption = (option: string, known: readonly string[]) =>
  new CodemodeError('invalid-argument', `${option} is not known; known are ${known.join(', ')}`, { data: { option } });

export const holdTooLate = () =>
  new CodemodeError('invalid-argument', 'the call is answered: its cell is not held any more');
