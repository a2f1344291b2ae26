import parser from 'yargs-parser';
import { badChoiceText, badNumberText, emptyValueText } from './messages.js';
import type { Option, OptionName } from './options.js';
import { UsageError } from './usage-error.js';

/**
 * No cleverness: what was typed is what arrives. This is also why lists are no arrays here, but options that
 * may be repeated: yargs-parser takes quotes off the elements of an array, and off whatever follows a `=`.
 */
const configuration = {
  'parse-numbers': false,
  'parse-positional-numbers': false,
  'boolean-negation': false,
  'camel-case-expansion': false,
  'dot-notation': false,
  'short-option-groups': false,
  'nargs-eats-options': true,
};

/** The options of one command line, each looked at as what it should be. */
export class GivenOptions {
  readonly #given: ReadonlyMap<string, unknown>;
  readonly #table: ReadonlyMap<string, Option>;

  constructor(tokens: readonly string[], table: ReadonlyMap<string, Option>) {
    const flags = [...table].filter(([, option]) => option.kind === 'flag').map(([name]) => name);
    const valued = [...table].filter(([, option]) => option.kind !== 'flag').map(([name]) => name);
    const parsed = parser([...tokens], {
      string: valued,
      narg: Object.fromEntries(valued.map((name) => [name, 1])),
      boolean: flags,
      configuration,
    });
    this.#given = new Map(Object.entries(parsed));
    this.#table = table;
  }

  flag(name: OptionName): boolean {
    return this.#given.get(name) === true;
  }

  /** Of an option that was given twice the last counts. */
  text(name: OptionName): string | undefined {
    const value = this.#given.get(name);
    const last: unknown = Array.isArray(value) ? value.at(-1) : value;
    return typeof last === 'string' ? last : undefined;
  }

  filled(name: OptionName): string | undefined {
    const value = this.text(name);
    if (value === '') throw new UsageError(emptyValueText(`--${name}`));
    return value;
  }

  list(name: OptionName): string[] {
    const value = this.#given.get(name);
    return (Array.isArray(value) ? value : [value]).filter((one): one is string => typeof one === 'string');
  }

  filledList(name: OptionName): string[] {
    const values = this.list(name);
    if (values.includes('')) throw new UsageError(emptyValueText(`--${name}`));
    return values;
  }

  /** Nothing is rounded, clamped or guessed: a limit that is not what was meant is worse than none. */
  wholeNumber(name: OptionName): number | undefined {
    const given = this.text(name);
    if (given === undefined) return undefined;
    const { minimum = 0, maximum = Number.MAX_SAFE_INTEGER } = this.#table.get(name) ?? {};
    const value = /^[0-9]{1,16}$/.test(given) ? Number(given) : Number.NaN;
    if (value >= minimum && value <= maximum) return value;
    throw new UsageError(badNumberText(`--${name}`, given, minimum, maximum));
  }

  choice<const C extends string>(name: OptionName, choices: readonly C[]): C | undefined {
    const given = this.text(name);
    const chosen = choices.find((choice) => choice === given);
    if (given !== undefined && chosen === undefined) throw new UsageError(badChoiceText(`--${name}`, given, choices));
    return chosen;
  }
}
