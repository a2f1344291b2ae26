import { notAPatternText } from '../messages.js';

/** Repetitions without a bound that a pattern may have: each makes a search longer by the length of the text. */
const MOST_REPETITIONS = 3;
/** Each choice may double a search. */
const MOST_CHOICES = 6;

/**
 * Whether a regular expression ends soon on every short text. Patterns come from whoever wrote the schema, texts from
 * cells, and `^(a+)+$` takes longer than anybody waits. So this is strict: what repeats a group, refers back, or repeats
 * often is not asserted at all. Throws for what is no regular expression.
 */
export function isQuickPattern(pattern: string): boolean {
  if (!compiles(pattern, 'u')) {
    if (!compiles(pattern, '')) throw new SyntaxError(notAPatternText(pattern));
    return false; // of the older syntax, which the library that checks does not use
  }
  if (/\\[1-9k]/.test(pattern)) return false;
  const bare = pattern
    .replace(/\\[pP]\{[^}]*\}|\\u\{[^}]*\}|\\./gs, 'a')
    .replace(/\[[^\]]*\]/g, 'a')
    .replace(/\(\?(?:<?[=!]|:|<[^>]*>)/g, '(');
  if (/\)(?:[*+]|\{)/.test(bare)) return false;
  const unbounded = bare.match(/[*+]|\{\d+,\d*\}/g)?.length ?? 0;
  const choices = bare.match(/[?|]/g)?.length ?? 0;
  return unbounded <= (bare.startsWith('^') ? MOST_REPETITIONS : MOST_REPETITIONS - 1) && choices <= MOST_CHOICES;
}

function compiles(pattern: string, flags: string): boolean {
  try {
    new RegExp(pattern, flags);
    return true;
  } catch {
    return false;
  }
}
