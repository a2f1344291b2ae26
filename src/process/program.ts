import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, resolve } from 'node:path';

/** Where the system will look for a program. `file` is undefined when no directory of the PATH has it. */
export interface ProgramLocation {
  readonly file: string | undefined;
  /** The PATH that was searched; undefined when none was set, or none was needed. */
  readonly searched: string | undefined;
  readonly bareName: boolean;
}

// What the C library takes where PATH is not set.
const defaultPath = '/bin:/usr/bin';

/** Follows the rules of execvp: a name with a slash is a path seen from `cwd`, a bare one is looked up in the PATH. */
export function locateProgram(program: string, cwd: string, path: string | undefined): ProgramLocation {
  if (program.includes('/')) return { file: resolve(cwd, program), searched: undefined, bareName: false };
  let refused: string | undefined;
  for (const directory of (path ?? defaultPath).split(delimiter)) {
    const file = resolve(cwd, directory, program);
    const found = look(file);
    if (found === 'executable') return { file, searched: path, bareName: true };
    if (found === 'refused') refused ??= file;
  }
  return { file: refused, searched: path, bareName: true };
}

function look(file: string): 'executable' | 'refused' | 'missing' {
  try {
    if (!statSync(file).isFile()) return 'refused';
  } catch {
    return 'missing';
  }
  try {
    accessSync(file, constants.X_OK);
    return 'executable';
  } catch {
    return 'refused';
  }
}
