import { isNode, type SchemaNode } from './schema-copy.js';
import { shownValue } from './shown-value.js';

/** Finds what a `$ref` means. */
export type Resolve = (node: SchemaNode) => unknown;

const MOST_WORDS = 6;
const LONGEST = 160;
const LONGEST_PATTERN = 100;

/** What a schema asks for, in a few words: `an integer of at least 1`, `"a" or "b"`. Undefined when it is hard to say. */
export function expectation(schema: unknown, resolve: Resolve, depth = 0): string | undefined {
  if (!isNode(schema) || depth > 5) return undefined;
  if (schema.$ref !== undefined) return expectation(resolve(schema), resolve, depth + 1);
  if (Object.hasOwn(schema, 'const')) return shownValue(schema.const);
  if (Array.isArray(schema.enum)) return oneOf(schema.enum.slice(0, MOST_WORDS).map(shownValue), schema.enum.length);
  const { type } = schema;
  if (typeof type === 'string') return typed(type, schema);
  if (Array.isArray(type)) return either(type.map((one) => typed(String(one), schema)));
  const branches = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(branches)) return either(branches.map((branch) => expectation(branch, resolve, depth + 1)));
  if (schema.properties !== undefined) return 'an object';
  if (!Array.isArray(schema.allOf)) return bounds(schema);
  return schema.allOf.map((part) => expectation(part, resolve, depth + 1)).find((words) => words !== undefined);
}

/** Nothing when one branch cannot be said: the list would be wrong. */
export function either(words: readonly (string | undefined)[]): string | undefined {
  const known = words.filter((word) => word !== undefined);
  return known.length < words.length ? undefined : oneOf([...new Set(known)]);
}

/** `total`: how many there are, also where only the first are given. */
function oneOf(words: readonly string[], total: number = words.length): string {
  if (words.length === 0) return 'nothing at all';
  const shown = words.slice(0, MOST_WORDS);
  const last = total > MOST_WORDS ? `${total - MOST_WORDS} more` : (shown.pop() ?? '');
  const text = shown.length === 0 ? last : `${shown.join(', ')} or ${last}`;
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
}

const articles: Readonly<Record<string, string>> = {
  array: 'an array',
  boolean: 'a boolean',
  integer: 'an integer',
  null: 'null',
  number: 'a number',
  object: 'an object',
  string: 'a string',
};

function typed(type: string, schema: SchemaNode): string {
  const noun = articles[type] ?? type;
  const rest = { array: 'items', integer: '', number: '', object: 'properties', string: 'characters' }[type];
  if (rest === undefined) return noun;
  if (type === 'string' && schema.minLength === 1 && schema.maxLength === undefined && schema.pattern === undefined) {
    return 'a non-empty string';
  }
  const pattern =
    type === 'string' && typeof schema.pattern === 'string' ? ` that matches ${shortened(schema.pattern)}` : '';
  return `${noun}${range(schema, rest)}${pattern}`;
}

const shortened = (pattern: string): string =>
  pattern.length > LONGEST_PATTERN ? `/${pattern.slice(0, LONGEST_PATTERN)}…` : `/${pattern}/`;

function range(schema: SchemaNode, what: string): string {
  const unit = what === '' ? '' : ` ${what}`;
  const suffix = { items: 'Items', properties: 'Properties', characters: 'Length' }[what];
  // In draft 4 a flag says whether the limit itself is still allowed.
  const bare = suffix === undefined;
  const above = bare && (schema.exclusiveMinimum === true ? schema.minimum : schema.exclusiveMinimum);
  const below = bare && (schema.exclusiveMaximum === true ? schema.maximum : schema.exclusiveMaximum);
  const least = bare ? (schema.exclusiveMinimum === true ? undefined : schema.minimum) : schema[`min${suffix}`];
  const most = bare ? (schema.exclusiveMaximum === true ? undefined : schema.maximum) : schema[`max${suffix}`];
  const parts: string[] = [];
  if (least !== undefined && least === most) parts.push(`of exactly ${String(least)}${unit}`);
  else if (least !== undefined && most !== undefined)
    parts.push(`${bare ? 'from' : 'of'} ${String(least)} to ${String(most)}${unit}`);
  else if (least !== undefined) parts.push(`of at least ${String(least)}${unit}`);
  else if (most !== undefined) parts.push(`of at most ${String(most)}${unit}`);
  if (typeof above === 'number') parts.push(`above ${above}`);
  if (typeof below === 'number') parts.push(`below ${below}`);
  if (bare && typeof schema.multipleOf === 'number') parts.push(`divisible by ${schema.multipleOf}`);
  return parts.length === 0 ? '' : ` ${parts.join(' and ')}`;
}

/** A schema that only limits, and leaves the type open. */
function bounds(schema: SchemaNode): string | undefined {
  for (const [keyword, type] of [
    ['minimum', 'number'],
    ['maximum', 'number'],
    ['multipleOf', 'number'],
    ['pattern', 'string'],
    ['minLength', 'string'],
    ['maxLength', 'string'],
    ['minItems', 'array'],
    ['maxItems', 'array'],
  ] as const) {
    if (schema[keyword] !== undefined) return typed(type, schema);
  }
  return undefined;
}
