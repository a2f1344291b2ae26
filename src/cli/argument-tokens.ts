import { nearest } from '../names/nearest-name.js';
import { foreignOptionText, missingValueText, surplusValueText, unknownOptionText } from './messages.js';
import { options as allOptions, type Option, type OptionName } from './options.js';
import { UsageError } from './usage-error.js';

export interface Tokens {
  /** Options only, by their long names, each that takes a value with its value behind it. */
  readonly options: readonly string[];
  /** Cells in the order given: yargs-parser alone loses the order between `-e` and files. */
  readonly cells: readonly CellArgument[];
}

export type CellArgument =
  | { readonly kind: 'eval'; readonly source: string }
  | { readonly kind: 'file'; readonly name: string };

const spellings = (table: ReadonlyMap<string, Option>): ReadonlyMap<string, string> =>
  new Map<string, string>(
    [...table].flatMap(([name, option]) => [
      [`--${name}`, name],
      ...(option.alias === undefined ? [] : [[`-${option.alias}`, name] as [string, string]]),
    ]),
  );

/** Says which tokens of the command line belong together; values are kept exactly. */
export function tokenize(argv: readonly string[], table: ReadonlyMap<string, Option>): Tokens {
  const longNames = spellings(table);
  const options: string[] = [];
  const cells: CellArgument[] = [];
  for (let at = 0; at < argv.length; at += 1) {
    const token = argv[at] ?? '';
    if (token === '--') {
      cells.push(...argv.slice(at + 1).map((name): CellArgument => ({ kind: 'file', name })));
      break;
    }
    if (token === '-' || !token.startsWith('-')) {
      cells.push({ kind: 'file', name: token });
      continue;
    }
    const sign = token.indexOf('=');
    const typed = sign === -1 ? token : token.slice(0, sign);
    const name = longNames.get(typed);
    const option = name === undefined ? undefined : table.get(name);
    if (name === undefined || option === undefined) {
      const foreignName = spellings(new Map(Object.entries(allOptions))).get(typed);
      const foreign: Option | undefined = foreignName === undefined ? undefined : allOptions[foreignName as OptionName];
      if (foreign?.of !== undefined) throw new UsageError(foreignOptionText(typed, foreign.of));
      throw new UsageError(unknownOptionText(typed, nearest(typed, longNames.keys())));
    }
    if (option.kind === 'flag') {
      if (sign !== -1) throw new UsageError(surplusValueText(typed));
      options.push(`--${name}`);
      continue;
    }
    if (sign === -1) at += 1;
    const value = sign === -1 ? argv[at] : token.slice(sign + 1);
    if (value === undefined) throw new UsageError(missingValueText(typed, option.value ?? 'VALUE'));
    if (name === 'eval') cells.push({ kind: 'eval', source: value });
    else options.push(`--${name}`, value);
  }
  return { options, cells };
}
