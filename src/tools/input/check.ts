import { endlessSchemaText, notJsonText, notWellFormedText, unreadableSchemaText } from '../messages.js';
import { thrownText } from '../thrown-text.js';
import { Checker, type FittedInput, type Library } from './checker.js';
import { inputSize } from './input-size.js';
import { CheckTooLong, copySchema, isNode } from './schema-copy.js';

// This validator walks through schemas. The faster ones turn them into code, and the schemas of an MCP server are
// foreign: nothing of them may become code in the process that holds the tools.

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
    if (this.#unchecked !== undefined || this.#allowsEverything()) return { input, problems: [] };
    const library = await import('@cfworker/json-schema');
    const size = inputSize(input);
    if (size === 'huge') return { input, problems: [] };
    const small = size === 'small';
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

  #allowsEverything(): boolean {
    try {
      return allowsEverything(this.#schema);
    } catch {
      return false;
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
      this.#unchecked = error instanceof RangeError ? endlessSchemaText : reasonOf(error);
      return undefined;
    }
  }
}

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

const reasonOf = (error: unknown): string => (thrownText(error) ?? unreadableSchemaText).split('\n', 1).join();

const isNotJson = (error: unknown): boolean =>
  error instanceof Error && /^Instances of "\w+" type are not supported/.test(error.message);
