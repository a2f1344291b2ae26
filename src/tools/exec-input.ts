import { CodemodeError } from '../errors.js';
import { shown } from './messages.js';

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

/** The arguments of one call, looked at one by one: a model may send anything. Null stands for nothing. */
export class Fields {
  readonly #fields: ReadonlyMap<string, unknown>;

  constructor(input: unknown, known: readonly string[]) {
    const entries = Object.entries(typeof input === 'object' && input !== null ? input : {});
    const strange = entries.find(([name]) => !known.includes(name));
    if (strange !== undefined) throw refused(`unknown argument \`${strange[0]}\`; known are ${known.join(', ')}`);
    this.#fields = new Map(entries.filter(([, value]) => value !== null && value !== undefined));
  }

  text(name: string): string {
    return this.optionalText(name) ?? wrong(name, 'a string', undefined);
  }

  optionalText(name: string): string | undefined {
    const value = this.#fields.get(name);
    return value === undefined || typeof value === 'string' ? value : wrong(name, 'a string', value);
  }

  word<const W extends string>(name: string, ...words: readonly [W, ...W[]]): W {
    const value = this.optionalText(name) ?? words[0];
    return words.find((word) => word === value) ?? wrong(name, words.map((word) => `"${word}"`).join(' or '), value);
  }

  flag(name: string): boolean {
    const value = this.#fields.get(name) ?? false;
    return typeof value === 'boolean' ? value : wrong(name, 'a boolean', value);
  }

  /** Nothing is rounded or clamped. */
  integer(name: string, { initial, least, most }: Range): number {
    const value = this.#fields.get(name) ?? initial;
    const fits = typeof value === 'number' && Number.isSafeInteger(value) && value >= least && value <= most;
    return fits ? value : wrong(name, `a whole number from ${least} to ${most}`, value);
  }

  texts(name: string): Record<string, string> {
    const value = this.#fields.get(name) ?? {};
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return wrong(name, 'an object', value);
    const result: Record<string, string> = {};
    for (const [key, text] of Object.entries(value)) {
      result[key] = typeof text === 'string' ? text : wrong(`${name}.${key}`, 'a string', text);
    }
    return result;
  }
}

function wrong(name: string, expected: string, value: unknown): never {
  const got = typeof value === 'number' || typeof value === 'string' ? JSON.stringify(value) : shown(value);
  throw refused(`\`${name}\` must be ${expected}, got ${got.length > 80 ? `${got.slice(0, 80)}…` : got}`);
}
