import { expandVariables } from './expand-variables.js';
import { configProblems } from './messages.js';
import { type Fields, isRecord } from './value.js';

/** One server of a configuration, looked at field by field. Values may be secrets, so no error shows one. */
export class ConfigEntry {
  readonly #fields: Fields;
  readonly #environment: Readonly<Record<string, string | undefined>> | undefined;
  readonly #refuse: (field: string, problem: string) => Error;

  constructor(
    fields: Fields,
    environment: Readonly<Record<string, string | undefined>> | undefined,
    refuse: (field: string, problem: string) => Error,
  ) {
    this.#fields = fields;
    this.#environment = environment;
    this.#refuse = refuse;
  }

  text(field: string): string {
    const text = this.#expanded(field, this.#fields[field]);
    if (text.trim() === '') throw this.#refuse(field, configProblems.empty);
    return text;
  }

  optionalText(field: string): string | undefined {
    const value = this.#fields[field];
    return value === undefined || value === null ? undefined : this.text(field);
  }

  texts(field: string): string[] {
    const value = this.#fields[field] ?? [];
    if (!Array.isArray(value)) throw this.#refuse(field, configProblems.notStrings(value));
    return value.map((item: unknown, index) => this.#expanded(`${field}[${index}]`, item));
  }

  variables(field: string): Record<string, string> {
    const found = this.#map(field);
    const wrong = Object.keys(found).find((name) => name === '' || /[=\0]/.test(name));
    if (wrong !== undefined) {
      throw this.#refuse(field, configProblems.variable(wrong));
    }
    return found;
  }

  headers(field: string): Record<string, string> {
    const found = this.#map(field);
    for (const [name, value] of Object.entries(found)) {
      try {
        new Headers([[name, value]]);
      } catch {
        throw this.#refuse(`${field}.${name}`, configProblems.header);
      }
    }
    return found;
  }

  url(field: string): string {
    const text = this.text(field);
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
      throw this.#refuse(field, configProblems.address);
    }
    if (url.username !== '' || url.password !== '') {
      throw this.#refuse(field, configProblems.addressWithPassword);
    }
    return url.href;
  }

  #map(field: string): Record<string, string> {
    const value = this.#fields[field] ?? {};
    if (!isRecord(value)) throw this.#refuse(field, configProblems.notStringMap(value));
    // Without a prototype, so that `__proto__` is a name like any other.
    const found: Record<string, string> = Object.create(null);
    for (const [name, item] of Object.entries(value)) found[name] = this.#expanded(`${field}.${name}`, item);
    return found;
  }

  #expanded(field: string, value: unknown): string {
    if (typeof value !== 'string') throw this.#refuse(field, configProblems.notString(value));
    return expandVariables(value, this.#environment, {
      unset: (name) => {
        throw this.#refuse(field, configProblems.unset(name));
      },
      nestedDefault: (name) => {
        throw this.#refuse(field, configProblems.nestedDefault(name));
      },
    });
  }
}
