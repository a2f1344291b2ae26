import { CodemodeError } from '../errors.js';
import { notOptionsText, unknownOptionText } from './messages.js';

/** Throws `invalid-argument` for options that are none, and for a name that is not known: misspelt, it would do nothing. */
export function checkOptionNames(given: unknown, known: readonly string[], prefix = ''): void {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new CodemodeError('invalid-argument', notOptionsText(prefix, given));
  }
  const strange = Object.keys(given).find((name) => !known.includes(name));
  if (strange === undefined) return;
  const option = `${prefix}${strange}`;
  throw new CodemodeError('invalid-argument', unknownOptionText(option, known), { data: { option } });
}
