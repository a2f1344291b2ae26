import { CodemodeError } from '../errors.js';

/** What a model, or a harness, has asked for cannot be done; the message says what is wrong. */
export const refused = (message: string, cause?: unknown): CodemodeError =>
  new CodemodeError('invalid-argument', message, cause === undefined ? {} : { cause });

/** The text of a refusal. Throws what is none. */
export function refusalText(error: unknown): string {
  if (error instanceof CodemodeError && error.code === 'invalid-argument') return error.message;
  throw error;
}
