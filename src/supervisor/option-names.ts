import { notOptions, unknownOption } from './messages.js';

/** Throws `invalid-argument` for options that are none, and for a name that is not known: misspelt, it would do nothing. */
export function checkOptionNames(given: unknown, known: readonly string[], prefix = ''): void {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) throw notOptions(prefix, given);
  const strange = Object.keys(given).find((name) => !known.includes(name));
  if (strange !== undefined) throw unknownOption(`${prefix}${strange}`, known);
}
