import { resolvePointer } from './json-pointer.js';
import { type Detail, MAX_REF_EXPANSIONS, MAX_TYPE_LENGTH, MAX_UNION_WIDTH } from './limits.js';
import { literalType, widenedType } from './literal-type.js';
import { type Dialect, objectType, type Property } from './object-type.js';
import {
  enclosedIntersection,
  intersection,
  neverType,
  plainType,
  type RenderedType,
  union,
  unknownType,
} from './rendered-type.js';
import { byCodePoints } from './text-order.js';

type Schema = Readonly<Record<string, unknown>>;

/** Beside a `$ref` these words say more about the value; all others do not count. */
const siblingWords = [
  ...['const', 'enum', 'anyOf', 'oneOf', 'allOf', 'type', 'properties', 'additionalProperties', 'required'],
  ...['items', 'prefixItems'],
];
const words: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
};

/** The text is longer than it may be. */
export class TypeTooLong extends Error {}

/** One way through one schema, by the rules of the reference. Throws `TypeTooLong`, and whatever a getter throws. */
export class SchemaRenderer {
  readonly #root: unknown;
  readonly #dialect: Dialect;
  readonly #detail: Detail;
  #left = MAX_TYPE_LENGTH;
  #depth = 0;
  /** How often each `$ref` is being expanded on the way to here. */
  readonly #expanding = new Map<string, number>();
  /** The objects on the way to here from the root, or from the last `$ref`: no JSON has one of them twice. */
  #path = new Set<object>();

  constructor(root: unknown, dialect: Dialect, detail: Detail) {
    this.#root = root;
    this.#dialect = dialect;
    this.#detail = detail;
  }

  render(): string {
    return this.#typeOf(this.#root).text;
  }

  readonly #spend = (length: number): void => {
    this.#left -= length;
    if (this.#left < 0) throw new TypeTooLong();
  };

  #typeOf(schema: unknown): RenderedType {
    this.#spend(1);
    if (schema === false) return neverType;
    if (!isSchema(schema) || this.#path.has(schema)) return this.#plain('unknown');
    if (this.#depth > this.#detail.depth) return this.#plain(primitiveWord(own(schema, 'type')) ?? 'unknown');
    this.#path.add(schema);
    this.#depth += 1;
    const type = this.#bounded(this.#orNull(schema, this.#referred(schema)));
    this.#depth -= 1;
    this.#path.delete(schema);
    return type;
  }

  /** The reference does not know the flag of OpenAPI. */
  #orNull(schema: Schema, type: RenderedType): RenderedType {
    if (this.#dialect === 'reference' || own(schema, 'nullable') !== true) return type;
    return ['null', 'unknown'].some((word) => type.members.includes(word)) ? type : union([type, this.#plain('null')]);
  }

  #bounded(type: RenderedType): RenderedType {
    return this.#dialect === 'safe' && type.width > MAX_UNION_WIDTH ? unknownType : type;
  }

  #plain(text: string): RenderedType {
    this.#spend(text.length);
    return text === 'unknown' ? unknownType : plainType(text);
  }

  #referred(schema: Schema): RenderedType {
    const reference = own(schema, '$ref');
    if (typeof reference !== 'string') return this.#unreferred(schema);
    const target = this.#expanded(reference);
    if (!siblingWords.some((word) => Object.hasOwn(schema, word))) return target;
    const rest = this.#unreferred(schema);
    if (rest.text === 'unknown') return target;
    this.#spend(7);
    return target.text === 'unknown' ? rest : enclosedIntersection([target, rest]);
  }

  #expanded(reference: string): RenderedType {
    const times = this.#expanding.get(reference) ?? 0;
    const target = times < MAX_REF_EXPANSIONS ? resolvePointer(this.#root, reference) : undefined;
    if (target === undefined) return this.#plain('unknown');
    const path = this.#path;
    this.#path = new Set();
    this.#expanding.set(reference, times + 1);
    const type = this.#typeOf(target);
    this.#expanding.set(reference, times);
    this.#path = path;
    return type;
  }

  #unreferred(schema: Schema): RenderedType {
    const constant = own(schema, 'const');
    if (constant !== undefined) return plainType(literalType(constant, this.#spend) ?? 'unknown');
    const values = list(schema, 'enum');
    if (values !== undefined) return this.#oneOfValues(values);
    const choices = list(schema, 'anyOf') ?? list(schema, 'oneOf');
    if (choices !== undefined) return union(choices.map((choice) => this.#member(choice)));
    const parts = list(schema, 'allOf');
    if (parts !== undefined) return intersection(parts.map((part) => this.#member(part)));
    const type = own(schema, 'type');
    if (typeof type === 'string') return this.#named(type, schema);
    const types = Array.isArray(type) ? type.filter((word) => typeof word === 'string') : [];
    if (types.length > 0) return union(types.map((word) => this.#named(word, schema)));
    const has = (word: string): boolean => Object.hasOwn(schema, word);
    if (has('properties') || has('additionalProperties') || has('required')) return this.#object(schema);
    return has('items') || has('prefixItems') ? this.#array(schema) : this.#plain('unknown');
  }

  /** A member of a union or an intersection, and the sign before the next one. */
  #member(schema: unknown): RenderedType {
    this.#spend(3);
    return this.#typeOf(schema);
  }

  #oneOfValues(values: readonly unknown[]): RenderedType {
    if (values.length > this.#detail.enumValues) return union([...new Set(values.map(widenedType))].map(plainType));
    return union(
      values.map((value) => {
        this.#spend(3);
        return plainType(literalType(value, this.#spend) ?? 'unknown');
      }),
    );
  }

  #named(type: string, schema: Schema): RenderedType {
    if (type === 'array') return this.#array(schema);
    if (type === 'object') return this.#object(schema);
    return this.#plain(primitiveWord(type) ?? 'unknown');
  }

  #array(schema: Schema): RenderedType {
    this.#spend(9);
    if (Object.hasOwn(schema, 'items')) return plainType(`Array<${this.#typeOf(schema.items).text}>`);
    const items = list(schema, 'prefixItems');
    if (items === undefined) return plainType('unknown[]');
    return plainType(`[${items.map((item) => this.#member(item).text).join(', ')}]`);
  }

  #object(schema: Schema): RenderedType {
    const properties = own(schema, 'properties');
    const required = new Set<unknown>(list(schema, 'required'));
    const names = isSchema(properties) ? Object.keys(properties) : [];
    // Before they are put in order, as there may be a million of them.
    this.#spend(4 + names.length * 5);
    names.sort(byCodePoints);
    const shown = names.map((name) => this.#property(name, own(properties as Schema, name), required.has(name)));
    // Without the word an object is open, but the reference says so only where there is nothing else to say.
    const more = Object.hasOwn(schema, 'additionalProperties') ? schema.additionalProperties : names.length === 0;
    return objectType(shown, more === false ? undefined : this.#typeOf(more), this.#dialect);
  }

  #property(name: string, schema: unknown, required: boolean): Property {
    const text = this.#detail.comments && isSchema(schema) ? own(schema, 'description') : undefined;
    const description = typeof text === 'string' ? text : '';
    this.#spend(name.length + description.length);
    return { name, type: this.#typeOf(schema), required, description };
  }
}

const primitiveWord = (type: unknown): string | undefined =>
  typeof type === 'string' && Object.hasOwn(words, type) ? words[type] : undefined;

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const own = (schema: Schema, word: string): unknown => (Object.hasOwn(schema, word) ? schema[word] : undefined);

/** A list with something in it. */
function list(schema: Schema, word: string): readonly unknown[] | undefined {
  const value = own(schema, word);
  return Array.isArray(value) && value.length > 0 ? value : undefined;
}
