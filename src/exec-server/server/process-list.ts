import { closeSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';

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

/** A line of `stat` is shorter, whatever the name of its program, and so are all of `limits`. Read into one place: thousands may be read at once. */
const line = Buffer.alloc(4_096);

/** Whether this system tells about its processes in the way that this file reads. */
export const canListProcesses = process.platform === 'linux' && processAt(process.pid) !== undefined;

/** Every process that runs and that we may look at, the latest numbers first; zombies do not run. */
export function allProcesses(): ListedProcess[] {
  let names: string[];
  try {
    names = readdirSync('/proc');
  } catch {
    return [];
  }
  return names
    .filter((name) => /^[1-9][0-9]*$/.test(name))
    .map(Number)
    .sort((one, other) => other - one)
    .map(processAt)
    .filter((found): found is ListedProcess => found !== undefined);
}

export function processAt(pid: number): ListedProcess | undefined {
  const text = beginningOf(`/proc/${pid}/stat`);
  if (text === undefined) return undefined;
  // The name in parentheses may hold anything, also parentheses.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ', 20);
  const [state, parent, group, session] = fields;
  const start = fields[19];
  if (state === undefined || state === 'Z' || state === 'X' || start === undefined) return undefined;
  return { pid, start, parent: Number(parent), group: Number(group), session: Number(session) };
}

/** As much as fits into the line. */
function beginningOf(path: string): string | undefined {
  try {
    const file = openSync(path, 'r');
    try {
      return line.toString('latin1', 0, readSync(file, line));
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}

/**
 * The values that a variable has in the environment that a process was started with: more than one where somebody set it
 * twice. Undefined where nobody may look, or there is none to see at the moment.
 */
export function valuesIn(pid: number, name: string): readonly string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/environ`, 'latin1');
    if (text === '') return undefined;
    const values: string[] = [];
    for (let at = text.indexOf(`${name}=`); at !== -1; at = text.indexOf(`${name}=`, at + 1)) {
      const end = text.indexOf('\0', at);
      if (at === 0 || text[at - 1] === '\0')
        values.push(text.slice(at + name.length + 1, end === -1 ? undefined : end));
    }
    return values;
  } catch {
    return undefined;
  }
}

/** The soft limit of file locks, as text; undefined where nobody may look, or the process is gone. */
export function softFileLocks(pid: number): string | undefined {
  const text = beginningOf(`/proc/${pid}/limits`);
  return text === undefined ? undefined : fileLocksIn(text);
}

/** The same out of the text of `/proc/PID/limits`. */
export const fileLocksIn = (limits: string): string | undefined => /^Max file locks +(\w+) /m.exec(limits)?.[1];

/** The number that was given to a process last, on this system. */
export function latestNumber(): number | undefined {
  try {
    const number = Number(readFileSync('/proc/loadavg', 'latin1').split(' ')[4]);
    return Number.isSafeInteger(number) ? number : undefined;
  } catch {
    return undefined;
  }
}

/** The least that the start of a process can be which is not there yet, in the ticks of `ListedProcess`. */
export function startNow(): number {
  try {
    return Math.floor(Number(readFileSync('/proc/uptime', 'latin1').split(' ')[0]) * 100) - 1;
  } catch {
    return 0;
  }
}
