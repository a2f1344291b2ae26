/** An input beyond this is checked without patterns and `uniqueItems`, and only up to its first problem. */
const MOST_VALUES = 1_000;
const LONGEST_TEXT = 300;
/** Beyond this it is not checked: the names alone take longer to list than a check may. */
const MOST_NAMES = 200_000;
const MOST_COUNTED = 1_000_000;

/** How much there is to look at, as far as that can be told soon. */
export function inputSize(input: object): 'small' | 'large' | 'huge' {
  const left: object[] = [input];
  let values = 0;
  let names = 0;
  let short = true;
  while (left.length > 0 && values <= MOST_COUNTED) {
    const value = left.pop() as { readonly [name: string]: unknown };
    const keys = Array.isArray(value) ? [] : Object.keys(value);
    names += keys.length;
    if (names > MOST_NAMES) return 'huge';
    if (values + keys.length <= MOST_VALUES) short &&= keys.every((key) => key.length <= LONGEST_TEXT);
    const parts: readonly unknown[] = Array.isArray(value) ? value : keys.map((key) => value[key]);
    values += parts.length;
    for (const part of parts) {
      if (typeof part === 'object' && part !== null) left.push(part);
      else if (typeof part === 'string') short &&= part.length <= LONGEST_TEXT;
    }
  }
  return short && values <= MOST_VALUES ? 'small' : 'large';
}
