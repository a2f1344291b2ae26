import { isLimit, limitWords, maybeArgument } from '../../names/argument.js';
import { checkOptionNames, type OptionNames } from '../../names/option-names.js';
import type { CallOptions } from '../connection/pending-calls.js';

/** Of every call that goes to the server. */
const ofCall: OptionNames<CallOptions> = { signal: true, timeoutMs: true };

/** Throws `invalid-argument` for options that are none, or misspelt; `more` are those of this call alone. */
export function checkCallOptions(call: string, options: CallOptions, more: Readonly<Record<string, true>>): void {
  checkOptionNames(call, options, { ...ofCall, ...more });
  maybeArgument(call, 'timeoutMs', options.timeoutMs, isLimit, limitWords);
}
