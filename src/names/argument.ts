import { CodemodeError } from '../errors.js';
import { wrongArgumentText } from './messages.js';

export type Check = (value: unknown) => boolean;

/** Throws `invalid-argument` for what the function `call` cannot use as its argument, or option, `name`. */
export function needArgument(call: string, name: string, value: unknown, isRight: Check, what: string): void {
  if (isRight(value)) return;
  throw new CodemodeError('invalid-argument', wrongArgumentText(call, name, what, value), {
    data: { call, option: name },
  });
}

/** The same for what may be left out. */
export function maybeArgument(call: string, name: string, value: unknown, isRight: Check, what: string): void {
  if (value !== undefined) needArgument(call, name, value, isRight, what);
}

export const isText: Check = (value) => typeof value === 'string';
export const isTexts: Check = (value) => Array.isArray(value) && value.every(isText);
export const isFlag: Check = (value) => typeof value === 'boolean';
export const isFunction: Check = (value) => typeof value === 'function';
export const isBytes: Check = (value) => value instanceof Uint8Array;
export const isData: Check = (value) => isText(value) || isBytes(value);
/** Of ms, where `Infinity` means no limit. */
export const isLimit: Check = (value) => typeof value === 'number' && value > 0;
export const isCount: Check = (value) => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
/** Node takes no other object for one. */
export const isSignal: Check = (value) => value instanceof EventTarget && typeof Object(value).aborted === 'boolean';

export const flagWords = 'true or false';
export const limitWords = 'a number of ms above 0, or Infinity';
export const dataWords = 'a string or a Uint8Array';
export const countWords = 'a whole number of at least 0';
