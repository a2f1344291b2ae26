import { randomInt, randomUUID } from 'node:crypto';
import { softFileLocks, valuesIn } from './process-list.js';

/** The variable by which descendants are found that have left their session and lost their parents. */
export const MARK_NAME = 'CODEMODE_EXEC_PROCESS';

/**
 * What a process that we start hands down to everything below it. A `variable` is for an environment that we make. A
 * `limit` leaves the environment alone: it is the soft limit of file locks, which Linux keeps and does not enforce.
 */
export interface Mark {
  readonly kind: 'variable' | 'limit';
  /** Of no other process, whatever the kinds are. */
  readonly value: string;
}

/** How somebody else finds everything that a server has marked. */
export interface MarkTraces {
  /** How the entry begins in an environment. */
  readonly variable: string;
  /** The line in `/proc/PID/limits`, as an extended regular expression. */
  readonly limit: string;
}

/** With eleven digits in front of them that is less than 2 to the power of 63: it fits wherever limits are read. */
const COUNT_DIGITS = 8;

/** The marks of one server. */
export class MarkSeries {
  readonly #id = randomUUID();
  readonly #number = randomInt(10_000_000_000, 90_000_000_000);
  #variables = 0;
  #limits = 0;

  get traces(): MarkTraces {
    return {
      variable: `${MARK_NAME}=${this.#id}:`,
      limit: `^Max file locks +${this.#number}[0-9]{${COUNT_DIGITS}} `,
    };
  }

  nextVariable(): Mark {
    return { kind: 'variable', value: `${this.#id}:${++this.#variables}` };
  }

  /** Undefined when all numbers are used up. */
  nextLimit(): Mark | undefined {
    const count = `${++this.#limits}`.padStart(COUNT_DIGITS, '0');
    return count.length > COUNT_DIGITS ? undefined : { kind: 'limit', value: `${this.#number}${count}` };
  }
}

/** What a process carries of a kind; undefined where nobody may look, or there is nothing to see at the moment. */
export function marksOn(pid: number, kind: Mark['kind']): readonly string[] | undefined {
  if (kind === 'variable') return valuesIn(pid, MARK_NAME);
  const limit = softFileLocks(pid);
  return limit === undefined ? undefined : [limit];
}
