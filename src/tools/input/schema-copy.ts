import { partNotSchemaText, tooDeepText, tooManyPartsText, unknownDraftText } from '../messages.js';
import { LARGEST_CONSTANT, sizeOf } from './constant-size.js';
import { nullable } from './nullable.js';
import { isQuickPattern } from './quick-pattern.js';

/** A schema that only looks like one. Its message says why it cannot be used. */
export class UnusableSchema extends Error {}

/** A look at more schemas, or for longer, than one check may take. */
export class CheckTooLong extends Error {}

export type Draft = '4' | '7' | '2019-09' | '2020-12';
export type SchemaNode = { readonly [keyword: string]: unknown };

/** A copy of a schema in which only that is left which can be checked safely. */
export interface SchemaCopy {
  readonly root: SchemaNode | boolean;
  readonly draft: Draft;
  /** All parts that are objects. */
  readonly nodes: readonly SchemaNode[];
  /** To be called before the checks of an input. */
  readonly startMeter: () => void;
}

export interface CopyOptions {
  /** Also the keywords whose cost grows faster than the input: patterns, `uniqueItems`. */
  readonly costly: boolean;
}

const MOST_NODES = 20_000;
const DEEPEST = 200;
/** A look at a schema takes about a microsecond; `anyOf` in a schema that refers to itself may ask for 2^n of them. */
const MOST_LOOKS = 200_000;
/** For looks that take longer, such as at texts of a megabyte; nobody else is served meanwhile. */
const LONGEST_CHECK_MS = 500;
/** Parts of a constant that take as long as a look. */
const PARTS_PER_LOOK = 30;
/** Names that `required` may have. */
const MOST_REQUIRED = 1_000;

const types = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'];
const number = (value: unknown): boolean => typeof value === 'number';
const limit = (value: unknown): boolean => typeof value === 'number' || typeof value === 'boolean';
const text = (value: unknown): boolean => typeof value === 'string';
const texts = (value: unknown): boolean => Array.isArray(value) && value.length <= MOST_REQUIRED && value.every(text);
export const isNode = (value: unknown): value is SchemaNode =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isSchema = (value: unknown): value is SchemaNode | boolean => typeof value === 'boolean' || isNode(value);

/** Keywords that hold no schemas, and what they must look like to count. `format` is not there: it is not asserted. */
const plain: Readonly<Record<string, (value: unknown) => boolean>> = {
  $id: text,
  $ref: text,
  $anchor: text,
  $recursiveRef: (value) => value === '#',
  const: (value) => sizeOf(value) < LARGEST_CONSTANT,
  enum: (value) => Array.isArray(value) && sizeOf(value) < LARGEST_CONSTANT,
  required: texts,
  dependentRequired: (value) => isNode(value) && Object.values(value).every(texts),
  uniqueItems: (value) => typeof value === 'boolean',
  minimum: number,
  maximum: number,
  exclusiveMinimum: limit,
  exclusiveMaximum: limit,
  multipleOf: (value) => typeof value === 'number' && value > 0,
  minLength: number,
  maxLength: number,
  minItems: number,
  maxItems: number,
  minContains: number,
  maxContains: number,
  minProperties: number,
  maxProperties: number,
};
const lists = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);
const maps = new Set(['$defs', 'definitions', 'properties', 'dependentSchemas', 'dependencies']);
/** Words for people, and examples: no schema is in there, even if it looks like one. */
const ignored = new Set(['default', 'example', 'examples', 'discriminator', 'id', '$vocabulary', '$recursiveAnchor']);

/** Throws `UnusableSchema`. The original is neither kept nor changed: the library that checks writes into schemas. */
export function copySchema(schema: unknown, options: CopyOptions): SchemaCopy {
  const draft = draftOf(schema);
  let looks = 0;
  let end = 0;
  const weights = new WeakMap<object, number>();
  const nodes: SchemaNode[] = [];
  // Each look at a schema reads this keyword once.
  const meter: object = Object.create(null, {
    $recursiveAnchor: {
      get(this: object) {
        looks += 1 + (weights.get(this) ?? 0);
        if (looks > MOST_LOOKS || performance.now() > end) throw new CheckTooLong();
        return undefined;
      },
    },
  });

  const nodeOf = (): Record<string, unknown> => {
    if (nodes.length >= MOST_NODES) throw new UnusableSchema(tooManyPartsText(MOST_NODES));
    const node: Record<string, unknown> = Object.create(meter);
    nodes.push(node);
    return node;
  };

  const copy = (value: unknown, depth: number): SchemaNode | boolean => {
    if (typeof value === 'boolean') return value;
    if (!isNode(value)) throw new UnusableSchema(partNotSchemaText(value));
    if (depth > DEEPEST) throw new UnusableSchema(tooDeepText(DEEPEST));
    const node = nodeOf();
    for (const [keyword, part] of Object.entries(value)) {
      const kept = keywordOf(keyword, part, depth);
      if (kept !== undefined) node[keyword] = kept;
    }
    if (draft === '4' && typeof value.id === 'string') node.$id = value.id;
    prune(node, options.costly);
    const size = sizeOf([node.const, node.enum]);
    if (size > PARTS_PER_LOOK) weights.set(node, size / PARTS_PER_LOOK);
    return value.nullable === true ? nullable(node, nodeOf) : node;
  };

  const keywordOf = (keyword: string, value: unknown, depth: number): unknown => {
    const fits = plain[keyword];
    const below = (part: unknown): SchemaNode | boolean => copy(part, depth + 1);
    if (fits !== undefined) return fits(value) ? value : undefined;
    if (keyword === 'type') return typeOf(value);
    if (keyword === 'pattern') return typeof value === 'string' && isQuickPattern(value) ? value : undefined;
    if (keyword === 'patternProperties') return isNode(value) ? mapped(value, below) : undefined;
    if (lists.has(keyword) || (keyword === 'items' && Array.isArray(value))) {
      return Array.isArray(value) && value.length > 0 ? value.map(below) : undefined;
    }
    if (maps.has(keyword)) {
      if (!isNode(value)) return undefined;
      return mapped(value, (part) => (keyword === 'dependencies' && texts(part) ? part : below(part)));
    }
    return ignored.has(keyword) || keyword.startsWith('x-') || !isSchema(value) ? undefined : below(value);
  };

  const root = copy(schema, 0);
  const startMeter = (): void => {
    looks = 0;
    end = performance.now() + LONGEST_CHECK_MS;
  };
  return { root, draft, nodes, startMeter };
}

const typeOf = (value: unknown): unknown => {
  const named = (Array.isArray(value) ? value : [value]).filter((type) => types.includes(type));
  // One that nobody knows allows who knows what.
  return named.length === 0 || (Array.isArray(value) && named.length < value.length) ? undefined : value;
};

function mapped(value: SchemaNode, change: (part: unknown) => unknown): SchemaNode {
  // `fromEntries` also keeps a property that is called `__proto__`.
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, change(part)]));
}

function prune(node: Record<string, unknown>, costly: boolean): void {
  if (!costly) {
    delete node.pattern;
    delete node.uniqueItems;
  }
  const patterns = isNode(node.patternProperties) ? Object.entries(node.patternProperties) : [];
  const kept = costly ? patterns.filter(([pattern]) => isQuickPattern(pattern)) : [];
  if (kept.length === patterns.length) return;
  node.patternProperties = Object.fromEntries(kept);
  // What the patterns that are gone would have meant is now among the rest.
  delete node.additionalProperties;
  delete node.unevaluatedProperties;
}

/** Also what older drafts said in another way is understood when nothing names the draft. */
function draftOf(schema: unknown): Draft {
  const named = isNode(schema) ? schema.$schema : undefined;
  if (named === undefined || named === '') return looksLike4(schema) ? '4' : looksLike7(schema) ? '7' : '2020-12';
  const known = /^https?:\/\/json-schema\.org\/(?:draft-0([467])\/schema|draft\/(2019-09|2020-12)\/schema)#?$/;
  const [, old, recent] = (typeof named === 'string' && known.exec(named)) || [];
  if (old !== undefined) return old === '4' ? '4' : '7';
  if (recent === '2019-09' || recent === '2020-12') return recent;
  throw new UnusableSchema(unknownDraftText(String(named)));
}

const looksLike4 = (schema: unknown): boolean =>
  some(schema, (node) => typeof node.exclusiveMinimum === 'boolean' || typeof node.exclusiveMaximum === 'boolean');
const looksLike7 = (schema: unknown): boolean => some(schema, (node) => Array.isArray(node.items));

function some(schema: unknown, holds: (node: SchemaNode) => boolean): boolean {
  const left: unknown[] = [schema];
  for (let seen = 0; left.length > 0 && seen < MOST_NODES; seen += 1) {
    const value = left.pop();
    if (isNode(value) && holds(value)) return true;
    if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) left.push(part);
  }
  return false;
}
