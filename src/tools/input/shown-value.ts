/** Characters of a value that an error shows. */
const LONGEST = 80;
const MOST_PARTS = 5;
const DEEPEST = 2;

/** A value as JSON, of any size and depth, on one short line. */
export function shownValue(value: unknown): string {
  const text = preview(value, 0);
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
}

function preview(value: unknown, depth: number): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'string') return JSON.stringify(value.length > LONGEST ? value.slice(0, LONGEST) : value);
  if (typeof value !== 'object' || value === null) return String(value);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  const parts: string[] = [];
  for (const key in value) {
    if (parts.length === MOST_PARTS || depth === DEEPEST) {
      parts.push('…');
      break;
    }
    const part = preview((value as { readonly [name: string]: unknown })[key], depth + 1);
    parts.push(Array.isArray(value) ? part : `${JSON.stringify(key.slice(0, LONGEST))}:${part}`);
  }
  return `${open}${parts.join(',')}${close}`;
}
