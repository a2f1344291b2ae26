import { readdirSync, readFileSync } from 'node:fs';

/** A number alone names whoever has it now; together with the time of its start it names one process for ever. */
export interface ProcessIdentity {
  readonly pid: number;
  /** In ticks since the machine started, as text. */
  readonly start: string;
}

export interface ListedProcess extends ProcessIdentity {
  readonly parent: number;
  readonly group: number;
  readonly session: number;
}

/** Whether this system tells about its processes in the way that this file reads. */
export const canListProcesses = process.platform === 'linux' && processAt(process.pid) !== undefined;

/** Every process that runs and that we may look at; zombies do not run. */
export function allProcesses(): ListedProcess[] {
  let names: string[];
  try {
    names = readdirSync('/proc');
  } catch {
    return [];
  }
  return names
    .filter((name) => /^[1-9][0-9]*$/.test(name))
    .map((name) => processAt(Number(name)))
    .filter((found): found is ListedProcess => found !== undefined);
}

export function processAt(pid: number): ListedProcess | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name in parentheses may hold anything, also parentheses.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const [state, parent, group, session] = fields;
    const start = fields[19];
    if (state === undefined || state === 'Z' || state === 'X' || start === undefined) return undefined;
    return { pid, start, parent: Number(parent), group: Number(group), session: Number(session) };
  } catch {
    return undefined;
  }
}

/** Whether the environment that a process was started with has an entry that begins with `mark`. */
export function environmentHas(pid: number, mark: string): boolean {
  try {
    return `\0${readFileSync(`/proc/${pid}/environ`, 'latin1')}`.includes(`\0${mark}`);
  } catch {
    return false;
  }
}
