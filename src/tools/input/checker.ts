import type { Schema, ValidationResult } from '@cfworker/json-schema';
import { circularRefText, lostRefText, unsaidText } from '../messages.js';
import { InputProblems } from './problems.js';
import { CheckTooLong, isNode, type SchemaCopy, type SchemaNode, UnusableSchema } from './schema-copy.js';

export type Library = typeof import('@cfworker/json-schema');

export interface FittedInput {
  /** The input, without the nulls that stand for nothing. */
  readonly input: object;
  /** Sentences about what is wrong; none: the input fits. */
  readonly problems: readonly string[];
}

/** What a validator has found beyond this is not read; nobody is told more than a few problems. */
const MOST_FINDINGS = 1_000;

/** Checks inputs against one copy of a schema. */
export class Checker {
  readonly #library: Library;
  readonly #copy: SchemaCopy;
  readonly #lookup: Record<string, Schema | boolean>;

  /** Throws for a schema that cannot be used. */
  constructor(library: Library, copy: SchemaCopy) {
    this.#library = library;
    this.#copy = copy;
    this.#lookup = library.dereference(copy.root as Schema);
    for (const node of copy.nodes) this.#followed(node);
    copy.startMeter();
    this.#validate({}, copy.root, true);
  }

  fit(given: object, all: boolean): FittedInput {
    this.#copy.startMeter();
    const input = this.#withoutNulls(given);
    return { input, problems: this.#problems(input, all) };
  }

  #withoutNulls(input: object): object {
    const root = isNode(this.#copy.root) ? this.#followed(this.#copy.root) : undefined;
    const properties = isNode(root) && isNode(root.properties) ? root.properties : {};
    const required = isNode(root) && Array.isArray(root.required) ? root.required : [];
    const isEmpty = (name: string, value: unknown): boolean =>
      value === undefined ||
      (value === null &&
        Object.hasOwn(properties, name) &&
        !required.includes(name) &&
        !this.#validate(null, properties[name], true).valid);
    const fields = input as { readonly [name: string]: unknown };
    const empty = new Set(Object.keys(fields).filter((name) => isEmpty(name, fields[name])));
    return empty.size === 0 ? input : Object.fromEntries(Object.entries(fields).filter(([name]) => !empty.has(name)));
  }

  #problems(input: object, all: boolean): string[] {
    const { root } = this.#copy;
    const first = this.#validate(input, root, true);
    if (first.valid) return [];
    const { errors } = (all && this.#allOf(input)) || first;
    const findings = errors.slice(0, MOST_FINDINGS);
    const sentences = new InputProblems(root, (node) => this.#lookup[refOf(node)], input).sentences(findings);
    if (sentences.length === 0) return [unsaidText];
    return all ? sentences : sentences.slice(0, 1);
  }

  /** Everything that is wrong, unless that takes too long. */
  #allOf(input: object): ValidationResult | undefined {
    try {
      return this.#validate(input, this.#copy.root, false);
    } catch (error) {
      if (error instanceof CheckTooLong) return undefined;
      throw error;
    }
  }

  #validate(value: unknown, schema: unknown, untilFirst: boolean): ValidationResult {
    return this.#library.validate(value, schema as Schema, this.#copy.draft, this.#lookup, untilFirst);
  }

  /** Where a chain of references ends. */
  #followed(node: SchemaNode): SchemaNode | boolean {
    const seen = new Set<unknown>();
    let at: SchemaNode | boolean = node;
    while (isNode(at) && typeof at.$ref === 'string') {
      if (seen.has(at)) throw new UnusableSchema(circularRefText(String(at.$ref)));
      seen.add(at);
      const next: unknown = this.#lookup[refOf(at)];
      if (typeof next !== 'boolean' && !isNode(next)) {
        throw new UnusableSchema(lostRefText(String(at.$ref)));
      }
      at = next;
    }
    return at;
  }
}

/** The library notes the whole URI at the schema. */
const refOf = (node: SchemaNode): string => String(node.__absolute_ref__ ?? node.$ref);
