import type { Schema, ValidationResult } from '@cfworker/json-schema';
import { InputProblems } from './input-problems.js';
import { notJsonText, notWellFormedText } from './messages.js';
import { CheckTooLong, copySchema, isNode, type SchemaCopy, type SchemaNode, UnusableSchema } from './schema-copy.js';

// This validator walks through schemas. The faster ones turn them into code, and the schemas of an MCP server are
// foreign: nothing of them may become code in the process that holds the tools.
type Library = typeof import('@cfworker/json-schema');

export interface FittedInput {
  /** The input, without the nulls that stand for nothing. */
  readonly input: object;
  /** Sentences about what is wrong; none: the input fits. */
  readonly problems: readonly string[];
}

/** An input beyond this is checked without patterns and `uniqueItems`, and only up to its first problem. */
const MOST_VALUES = 1_000;
const LONGEST_TEXT = 300;

/** The check of one tool's inputs. The validator is loaded, and the schema prepared, for the first input. */
export class InputCheck {
  readonly #schema: object | boolean;
  readonly #checkers = new Map<'all' | 'cheap', Checker>();
  #unchecked: string | undefined;

  constructor(schema: object | boolean) {
    this.#schema = schema;
  }

  /** Why inputs are not checked: the schema cannot be used. Known after the first input. */
  get unchecked(): string | undefined {
    return this.#unchecked;
  }

  /**
   * Checks an input. Models send null for what they leave out: a property that may be missing, but not be null, is then
   * left out. A schema that cannot be used lets everything pass, as does an input whose check would take too long.
   */
  async fit(input: object): Promise<FittedInput> {
    if (this.#unchecked !== undefined || allowsEverything(this.#schema)) return { input, problems: [] };
    const library = await import('@cfworker/json-schema');
    const small = isSmall(input);
    try {
      const checker = this.#checker(library, small ? 'all' : 'cheap');
      return checker === undefined ? { input, problems: [] } : checker.fit(input, small);
    } catch (error) {
      if (error instanceof URIError) return { input, problems: [notWellFormedText] };
      if (isNotJson(error)) return { input, problems: [notJsonText] };
      // The check takes too long, or the input is nested too deep for it (the stack is full). The next one may not be.
      if (!(error instanceof CheckTooLong || error instanceof RangeError)) this.#unchecked = reasonOf(error);
      return { input, problems: [] };
    }
  }

  #checker(library: Library, kind: 'all' | 'cheap'): Checker | undefined {
    const known = this.#checkers.get(kind);
    if (known !== undefined) return known;
    try {
      const made = new Checker(library, copySchema(this.#schema, { costly: kind === 'all' }));
      this.#checkers.set(kind, made);
      return made;
    } catch (error) {
      this.#unchecked = error instanceof RangeError ? 'it refers to itself without end' : reasonOf(error);
      return undefined;
    }
  }
}

class Checker {
  readonly #library: Library;
  readonly #copy: SchemaCopy;
  readonly #lookup: Record<string, Schema | boolean>;

  /** Throws for a schema that cannot be used. */
  constructor(library: Library, copy: SchemaCopy) {
    this.#library = library;
    this.#copy = copy;
    this.#lookup = library.dereference(copy.root as Schema);
    for (const node of copy.nodes) this.#followed(node);
    this.#validate({}, copy.root, true);
  }

  fit(given: object, all: boolean): FittedInput {
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
    const entries = Object.entries(input);
    const kept = entries.filter(([name, value]) => !isEmpty(name, value));
    return kept.length === entries.length ? input : Object.fromEntries(kept);
  }

  #problems(input: object, all: boolean): string[] {
    const { root } = this.#copy;
    const first = this.#validate(input, root, true);
    if (first.valid) return [];
    const { errors } = all ? this.#validate(input, root, false) : first;
    return new InputProblems(root, (node) => this.#lookup[refOf(node)], input).sentences(errors);
  }

  #validate(value: unknown, schema: unknown, untilFirst: boolean): ValidationResult {
    const { draft, resetMeter } = this.#copy;
    resetMeter();
    return this.#library.validate(value, schema as Schema, draft, this.#lookup, untilFirst);
  }

  /** Where a chain of references ends. */
  #followed(node: SchemaNode): SchemaNode | boolean {
    const seen = new Set<unknown>();
    let at: SchemaNode | boolean = node;
    while (isNode(at) && typeof at.$ref === 'string') {
      if (seen.has(at)) throw new UnusableSchema(`\`$ref: ${at.$ref}\` leads back to itself`);
      seen.add(at);
      const next: unknown = this.#lookup[refOf(at)];
      if (typeof next !== 'boolean' && !isNode(next)) {
        throw new UnusableSchema(`\`$ref: ${at.$ref}\` leads nowhere that is known here`);
      }
      at = next;
    }
    return at;
  }
}

/** The library notes the whole URI at the schema. */
const refOf = (node: SchemaNode): string => String(node.__absolute_ref__ ?? node.$ref);

/** Without a word about what is in the object there is nothing to load a validator for. */
const allowsEverything = (schema: object | boolean): boolean =>
  schema === true ||
  (isNode(schema) &&
    Object.entries(schema).every(
      ([keyword, value]) =>
        (keyword === 'type' && value === 'object') ||
        (keyword === 'additionalProperties' && value === true) ||
        ['title', 'description', '$schema', '$comment'].includes(keyword),
    ));

const reasonOf = (error: unknown): string =>
  error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);

const isNotJson = (error: unknown): boolean =>
  error instanceof Error && /^Instances of "\w+" type are not supported/.test(error.message);

function isSmall(input: object): boolean {
  const left: unknown[] = [input];
  for (let seen = 0; left.length > 0; seen += 1) {
    if (seen + left.length > MOST_VALUES) return false;
    const value = left.pop();
    if (typeof value === 'string' && value.length > LONGEST_TEXT) return false;
    if (typeof value !== 'object' || value === null) continue;
    if (Array.isArray(value) && value.length > MOST_VALUES) return false;
    for (const [key, part] of Object.entries(value)) {
      if (key.length > LONGEST_TEXT || left.length > MOST_VALUES) return false;
      left.push(part);
    }
  }
  return true;
}
