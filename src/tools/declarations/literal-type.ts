import { MAX_TYPE_DEPTH } from './limits.js';
import { quoted } from './source-text.js';

/**
 * The type of one JSON value: its compact JSON. Undefined for what JSON cannot hold, and for what is nested too deeply.
 * `spend` hears the length of every piece, and throws when there is too much.
 */
export function literalType(value: unknown, spend: (length: number) => void, depth = 0): string | undefined {
  if (depth > MAX_TYPE_DEPTH) return undefined;
  const text = leafText(value);
  if (text !== undefined) {
    spend(text.length);
    return text;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  spend(2);
  const parts: string[] = [];
  if (Array.isArray(value)) {
    for (const item of value) {
      const part = isMissing(item) ? 'null' : literalType(item, spend, depth + 1);
      if (part === undefined) return undefined;
      parts.push(part);
    }
    return `[${parts.join(',')}]`;
  }
  for (const [key, item] of Object.entries(value)) {
    if (isMissing(item)) continue;
    const name = quoted(key);
    spend(name.length + 2);
    const part = literalType(item, spend, depth + 1);
    if (part === undefined) return undefined;
    parts.push(`${name}:${part}`);
  }
  return `{${parts.join(',')}}`;
}

/** The type that a literal belongs to, for enumerations that are too long to be written out. */
export function widenedType(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'unknown[]';
  if (typeof value === 'object') return '{ [key: string]: unknown; }';
  return ['string', 'number', 'boolean'].includes(typeof value) ? typeof value : 'unknown';
}

/** Numbers without a JSON form become null, as JSON has it. */
function leafText(value: unknown): string | undefined {
  if (typeof value === 'string') return quoted(value);
  return value === null || typeof value === 'number' || typeof value === 'boolean' ? JSON.stringify(value) : undefined;
}

const isMissing = (value: unknown): boolean => ['undefined', 'function', 'symbol'].includes(typeof value);
