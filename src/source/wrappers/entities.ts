import { entitiesText } from '../messages.js';
import type { Unwrapped } from './wrapper.js';

const entities: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&amp;': '&',
  '&quot;': '"',
  '&apos;': "'",
  '&nbsp;': ' ',
};
const pattern = /&(?:lt|gt|amp|quot|apos|nbsp|#0?39|#x27|#34|#x22|#60|#62|#x3[CcEe]);/g;

/** Undoes one round of escaping. */
export const decodeEntities = (text: string): string =>
  text.replace(pattern, (entity) => entities[entity] ?? numeric(entity));

function numeric(entity: string): string {
  const digits = entity.slice(2, -1);
  return String.fromCharCode(/^x/i.test(digits) ? Number.parseInt(digits.slice(1), 16) : Number(digits));
}

/** A program that was escaped as a whole: its strings were, too. */
export function unescapeEntities(text: string): Unwrapped | undefined {
  const at = text.search(pattern);
  return at < 0 ? undefined : { code: 'html-entities', at, message: entitiesText, text: decodeEntities(text) };
}
