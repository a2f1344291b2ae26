import { expandVariables } from './expand-variables.js';
import { shown } from './messages.js';
import { type Fields, isRecord } from './value.js';

/** One server of a configuration, looked at field by field. Values may be secrets, so no error shows one. */
export class ConfigEntry {
  readonly #fields: Fields;
  readonly #environment: Readonly<Record<string, string | undefined>>;
  readonly #refuse: (field: string, problem: string) => Error;

  constructor(
    fields: Fields,
    environment: Readonly<Record<string, string | undefined>>,
    refuse: (field: string, problem: string) => Error,
  ) {
    this.#fields = fields;
    this.#environment = environment;
    this.#refuse = refuse;
  }

  text(field: string): string {
    const text = this.#expanded(field, this.#fields[field]);
    if (text.trim() === '') throw this.#refuse(field, 'must not be empty');
    return text;
  }

  optionalText(field: string): string | undefined {
    const value = this.#fields[field];
    return value === undefined || value === null ? undefined : this.text(field);
  }

  texts(field: string): string[] {
    const value = this.#fields[field] ?? [];
    if (!Array.isArray(value)) throw this.#refuse(field, `must be an array of strings, got ${shown(value)}`);
    return value.map((item: unknown, index) => this.#expanded(`${field}[${index}]`, item));
  }

  variables(field: string): Record<string, string> {
    const found = this.#map(field);
    const wrong = Object.keys(found).find((name) => name === '' || /[=\0]/.test(name));
    if (wrong !== undefined) {
      throw this.#refuse(field, `${JSON.stringify(wrong)} is not usable as the name of an environment variable`);
    }
    return found;
  }

  headers(field: string): Record<string, string> {
    const found = this.#map(field);
    for (const [name, value] of Object.entries(found)) {
      try {
        new Headers([[name, value]]);
      } catch {
        throw this.#refuse(`${field}.${name}`, 'is not usable as an HTTP header');
      }
    }
    return found;
  }

  url(field: string): string {
    const text = this.text(field);
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
      throw this.#refuse(field, 'must be an address that begins with http:// or https://');
    }
    if (url.username !== '' || url.password !== '') {
      throw this.#refuse(field, 'must not hold a user name or a password: put them into `headers`');
    }
    return url.href;
  }

  #map(field: string): Record<string, string> {
    const value = this.#fields[field] ?? {};
    if (!isRecord(value)) throw this.#refuse(field, `must be an object of strings, got ${shown(value)}`);
    // Without a prototype, so that `__proto__` is a name like any other.
    const found: Record<string, string> = Object.create(null);
    for (const [name, item] of Object.entries(value)) found[name] = this.#expanded(`${field}.${name}`, item);
    return found;
  }

  #expanded(field: string, value: unknown): string {
    if (typeof value !== 'string') throw this.#refuse(field, `must be a string, got ${shown(value)}`);
    return expandVariables(value, this.#environment, (name) => {
      throw this.#refuse(field, `\`${name}\` is not set: set it, or give a default, \`\${${name}:-…}\``);
    });
  }
}
