import { CodemodeError } from '../../errors.js';

export interface Range {
  readonly initial: number;
  readonly least: number;
  readonly most: number;
}

export const schema = (required: readonly string[], properties: Readonly<Record<string, object>>): object => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

export const textSchema = (description: string): object => ({ type: 'string', description });
export const flagSchema = (description: string): object => ({ type: 'boolean', description });
export const numberSchema = (description: string, { initial, least, most }: Range): object => ({
  type: 'integer',
  minimum: least,
  maximum: most,
  description: `${description}; default: ${initial}`,
});

export const refused = (message: string): CodemodeError => new CodemodeError('invalid-argument', message);

/**
 * The arguments of one call. The toolbox has checked them against the schema, so that only defaults are left to fill in;
 * a value of another type, from whoever calls a handler himself, counts as missing.
 */
export class Fields {
  readonly #fields: { readonly [name: string]: unknown };

  constructor(input: unknown) {
    this.#fields = { ...Object(input) };
  }

  text(name: string): string {
    return this.optionalText(name) ?? '';
  }

  optionalText(name: string): string | undefined {
    const value = this.#fields[name];
    return typeof value === 'string' ? value : undefined;
  }

  flag(name: string): boolean {
    return this.#fields[name] === true;
  }

  integer(name: string, { initial }: { readonly initial: number }): number {
    const value = this.#fields[name];
    return typeof value === 'number' ? value : initial;
  }

  texts(name: string): Record<string, string> {
    const value = this.#fields[name];
    const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
    return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
  }
}
