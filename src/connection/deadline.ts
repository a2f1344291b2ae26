import pTimeout from 'p-timeout';
import type { CodemodeError } from '../errors.js';
import { isTimed } from '../waiting/timer.js';

/** Waits for `work`, at most `ms`; then fails with `late()`. The work itself goes on: whoever started it must stop it. */
export function withDeadline<T>(work: Promise<T>, ms: number, late: () => CodemodeError): Promise<T> {
  return pTimeout<T, T>(work, {
    milliseconds: isTimed(ms) ? ms : Number.POSITIVE_INFINITY,
    fallback: () => Promise.reject<T>(late()),
  });
}
