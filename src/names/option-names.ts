import { CodemodeError } from '../errors.js';
import { isSignal, maybeArgument } from './argument.js';
import { notOptionsText, unknownOptionText } from './messages.js';
import { nearest } from './nearest-name.js';

/** Every name that options of the type `T` have: the compiler sees to it that none is forgotten. */
export type OptionNames<T> = { readonly [name in keyof Required<T>]: true };

/**
 * Throws `invalid-argument` for options that are none, for a name that is not known (misspelt, it would do nothing), and for
 * a `signal` that is none.
 * `call` is what the error calls the function that got them, `place` where they are within its options, as `limits`.
 */
export function checkOptionNames(
  call: string,
  given: unknown,
  known: Readonly<Record<string, true>>,
  place?: string,
): void {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    const what = place === undefined ? `the options of ${call}` : `${call}: ${place}`;
    throw new CodemodeError('invalid-argument', notOptionsText(what, given), {
      data: place === undefined ? { call } : { call, option: place },
    });
  }
  const strange = Object.keys(given).find((name) => !Object.hasOwn(known, name));
  if (strange === undefined) {
    // Every call that takes a signal takes it under this name.
    const { signal } = given as { readonly signal?: unknown };
    if (Object.hasOwn(given, 'signal')) maybeArgument(call, 'signal', signal, isSignal, 'an AbortSignal');
    return;
  }
  const names = Object.keys(known);
  const path = (name: string): string => (place === undefined ? name : `${place}.${name}`);
  const meant = nearest(strange, names) ?? names.find((name) => isPart(name, strange) || isPart(strange, name));
  const text = unknownOptionText(call, path(strange), meant === undefined ? undefined : path(meant), names);
  throw new CodemodeError('invalid-argument', text, { data: { call, option: path(strange) } });
}

/** Who leaves out the end of a name, such as its unit, has not slipped, but means it. */
const isPart = (name: string, beginning: string): boolean => beginning.length >= 3 && name.startsWith(beginning);
