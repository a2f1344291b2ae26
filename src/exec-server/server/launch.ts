import { constants } from 'node:os';
import { missingProgramText, nulArgumentText, nulVariableText } from './messages.js';
import type { OutputSource } from './output-source.js';
import { canListProcesses, processAt } from './process-list.js';
import { refusedSpawn } from './spawn-error.js';
import type { StdinWriter } from './stdin-writer.js';

export interface LaunchOptions {
  readonly argv: readonly string[];
  /** A program, with arguments, that becomes the one of `argv`, which comes after it. It can not be told an `arg0`. */
  readonly front: readonly string[];
  readonly cwd: string;
  /** All of it. */
  readonly env: Readonly<Record<string, string>>;
  readonly arg0: string | undefined;
  readonly rows: number;
  readonly columns: number;
  /** Throws when it is too late to start anything; called in the tick of the spawn, in front of it. */
  readonly refuseLate: () => void;
  /** Called with the terminal of a child in front of its spawn, and without one when that has failed. */
  readonly expected: (terminal: string | undefined) => void;
  /** Called in the tick of the spawn, before anything else is done about the child. */
  readonly started: (child: StartedProcess) => void;
}

export interface StartedProcess {
  readonly pid: number;
  /** When it started, in the words of the system; undefined where it does not tell. */
  readonly start: string | undefined;
}

/** A child that runs, or has just ended. Its output waits until somebody asks for it. */
export interface LaunchedProcess {
  readonly sources: readonly OutputSource[];
  readonly stdin: StdinWriter | undefined;
  /** The leader was reaped. */
  readonly exitCode: Promise<number>;
  /** Undefined without a terminal. */
  readonly resize: ((rows: number, columns: number) => void) | undefined;
}

/** What spawn would not report, or in words of its own. */
export function refuseUnusable(options: LaunchOptions, how: 'pipe' | 'PTY'): void {
  if (options.argv[0] === '') throw refusedSpawn(missingProgramText(how));
  if ([...options.argv, options.cwd, options.arg0 ?? ''].some((text) => text.includes('\0'))) {
    throw refusedSpawn(nulArgumentText);
  }
  if (Object.entries(options.env).some(([name, value]) => name.includes('\0') || value.includes('\0'))) {
    throw refusedSpawn(nulVariableText);
  }
}

/** As shells count: 128 and the number of the signal; -1 where the system does not know. */
export function exitCodeOf(code: number | null, signal: NodeJS.Signals | number | null): number {
  if (typeof signal === 'number' && signal > 0) return 128 + signal;
  if (typeof signal === 'string') return 128 + constants.signals[signal];
  return code ?? -1;
}

/** To be called in the tick of the spawn, while the number can only be the child's. */
export const identify = (pid: number): StartedProcess => ({
  pid,
  start: canListProcesses ? processAt(pid)?.start : undefined,
});
