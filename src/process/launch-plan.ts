import { resolve } from 'node:path';
import type { HostCommand } from './host-command.js';
import { hints } from './messages.js';
import { locateProgram, type ProgramLocation } from './program.js';
import { programFormat } from './program-format.js';
import { nulByteFailure, spawnFailure } from './spawn-failure.js';

/** A command whose faults that spawn would not report, or would report badly, have been ruled out. */
export interface LaunchPlan {
  readonly program: string;
  readonly args: readonly string[];
  /** Absolute. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Undefined where the system has rules of its own (Windows). */
  readonly location: ProgramLocation | undefined;
}

export function planLaunch(command: HostCommand, env: Readonly<Record<string, string>>): LaunchPlan {
  const { program, args = [] } = command;
  const cwd = workingDirectory(command.cwd);
  const texts = [program, cwd ?? '', ...args, ...Object.keys(env), ...Object.values(env)];
  if (texts.some((text) => text.includes('\0'))) throw nulByteFailure(program, cwd);
  if (program === '' || cwd === undefined) throw spawnFailure({ program, cwd, code: 'ENOENT' });
  if (process.platform === 'win32') return { program, args, cwd, env, location: undefined };
  const location = locateProgram(program, cwd, env.PATH);
  const hint = location.file === undefined ? undefined : formatFault(location.file);
  if (hint !== undefined) throw spawnFailure({ program, cwd, location, code: 'ENOEXEC', hint });
  return { program, args, cwd, env, location };
}

/** Nothing where it depends on our own, and somebody has deleted that. */
function workingDirectory(configured = '.'): string | undefined {
  try {
    return resolve(configured);
  } catch {
    return undefined;
  }
}

function formatFault(file: string): string | undefined {
  const format = programFormat(file);
  if (format === 'known') return undefined;
  return format === 'empty' ? hints.emptyFile(file) : hints.unknownFormat(file);
}
