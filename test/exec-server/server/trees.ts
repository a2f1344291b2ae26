import { readdirSync, readFileSync } from 'node:fs';
import { isAlive } from '../../support/processes.js';

/** Ways to leave something behind. `$0` is a number of seconds that is nobody else's. Each says `up` when all of it runs. */
export const trees: Readonly<Record<string, string>> = {
  plain: 'sh -c "sh -c \\"sleep $0; :\\" & echo up; wait"; :',
  background: 'sleep "$0" & echo up; exec sleep "$0"',
  'setsid child': 'setsid sleep "$0" > /dev/null & setsid sh -c "echo up; exec sleep $0 2> /dev/null" & sleep "$0"',
  'double fork': 'setsid sh -c "(sleep $0 < /dev/null > /dev/null 2>&1 &) ; :" ; echo up; sleep "$0"',
};

/** A daemon and its leader: exactly two processes, whatever signal a terminal sends. */
export const daemonTree =
  'trap "" HUP; setsid sh -c "(sleep $0 < /dev/null > /dev/null 2>&1 &) ; :" ; echo up; exec sleep "$0"';

/** As Codex asks for it: then descendants are marked. */
export const inheriting = {
  envPolicy: { inherit: 'all', ignoreDefaultExcludes: true, exclude: [], set: {}, includeOnly: [] },
};

let count = 0;

/** How long something sleeps, by which it is known. */
export const uniqueSeconds = (): string => `300.${process.pid}${String(++count).padStart(3, '0')}`;

export function sleepers(seconds: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => commandOf(name).includes(seconds))
    .map(Number)
    .filter((pid) => pid !== process.pid && isAlive(pid));
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1');
  } catch {
    return '';
  }
}

export function killSleepers(seconds: string): void {
  for (const pid of sleepers(seconds)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It was quicker.
    }
  }
}
