import { checkOptionNames, type OptionNames } from '../../names/option-names.js';
import { details, MAX_TYPE_LENGTH } from './limits.js';
import { schemaNotReadText, schemaTooLongText, schemaWrongText } from './messages.js';
import type { Dialect } from './object-type.js';
import { SchemaRenderer, TypeTooLong } from './schema-renderer.js';

export interface SchemaTypeOptions {
  /** Default: `safe`. The two differ only where the text of the reference does not compile, or where that is not plain. */
  readonly dialect?: Dialect | undefined;
  /** Whether descriptions of properties become comments. Default: true. */
  readonly comments?: boolean | undefined;
}

const known: OptionNames<SchemaTypeOptions> = { dialect: true, comments: true };

export interface RenderedSchema {
  readonly text: string;
  /** Why the text says less than the schema does; undefined where it does not. One line. */
  readonly problem: string | undefined;
}

/**
 * The TypeScript type of what a JSON Schema describes, as the text of a type. Throws for misspelt options, never for a
 * schema: one that cannot be read is `unknown`. At most 32,768 UTF-16 code units: a schema that is longer loses its comments, then its long enumerations,
 * then its depth. `$ref` leads to places in the same schema, and the same one at most twice on one path.
 */
export function schemaType(schema: unknown, options: SchemaTypeOptions = {}): string {
  checkOptionNames('schemaType', options, known);
  return renderSchema(schema, options).text;
}

export function renderSchema(schema: unknown, options: SchemaTypeOptions = {}): RenderedSchema {
  try {
    if (!isSchema(schema)) return { text: 'unknown', problem: schemaWrongText(schema) };
    return shortEnough(schema, options);
  } catch (error) {
    return { text: 'unknown', problem: schemaNotReadText(error) };
  }
}

function shortEnough(schema: unknown, { dialect = 'safe', comments = true }: SchemaTypeOptions): RenderedSchema {
  const wanted = comments ? details : details.filter((detail) => !detail.comments);
  for (const detail of wanted) {
    const text = attempt(() => new SchemaRenderer(schema, dialect, detail).render());
    if (text === undefined || text.length > MAX_TYPE_LENGTH) continue;
    return { text, problem: detail === wanted[0] ? undefined : schemaTooLongText(MAX_TYPE_LENGTH) };
  }
  return { text: 'unknown', problem: schemaTooLongText(MAX_TYPE_LENGTH) };
}

function attempt(render: () => string): string | undefined {
  try {
    return render();
  } catch (error) {
    if (error instanceof TypeTooLong) return undefined;
    throw error;
  }
}

const isSchema = (value: unknown): boolean =>
  typeof value === 'boolean' || (typeof value === 'object' && value !== null && !Array.isArray(value));
