import parser from 'yargs-parser';
import { type CellArgument, tokenize } from './argument-tokens.js';
import {
  badExecServerText,
  badNumberText,
  badVariableText,
  emptyValueText,
  execTwiceText,
  noCellText,
  stdinTwiceText,
} from './messages.js';
import { type OptionName, options, optionTable } from './options.js';
import { UsageError } from './usage-error.js';

export interface RunArguments {
  readonly command: 'run';
  readonly cells: readonly CellArgument[];
  readonly tools: readonly string[];
  /** Whether cells get the tools that run commands: `here`, or through the server at a URL. */
  readonly exec?: { readonly kind: 'here' } | { readonly kind: 'server'; readonly url: string };
  readonly host: string | undefined;
  readonly hostArgs: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly inheritEnv: boolean;
  readonly handshakeTimeoutMs: number;
  readonly timeoutMs: number;
  readonly yieldTimeMs: number | undefined;
  readonly maxOutputTokens: number | undefined;
  readonly maxHeapMb: number | undefined;
  readonly outDir: string;
  readonly json: boolean;
  readonly verbose: boolean;
}

export type Arguments = RunArguments | { readonly command: 'help' } | { readonly command: 'version' };

const ofKind = (...kinds: readonly string[]): string[] =>
  [...optionTable].filter(([, option]) => kinds.includes(option.kind)).map(([name]) => name);

/**
 * No cleverness: what was typed is what arrives (bugs.md K1). This is also why lists are no arrays here, but options that
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

/** The command line as data, or a `UsageError`. `run` is the default command and may be left out. */
export function parseArguments(argv: readonly string[]): Arguments {
  if (asksFor(argv, '--help', '-h')) return { command: 'help' };
  if (asksFor(argv, '--version')) return { command: 'version' };
  const tokens = tokenize(argv[0] === 'run' ? argv.slice(1) : argv);
  const parsed = parser([...tokens.options], {
    string: ofKind('text', 'number', 'list'),
    narg: Object.fromEntries(ofKind('text', 'number', 'list').map((name) => [name, 1])),
    boolean: ofKind('flag'),
    configuration,
  });
  const given: ReadonlyMap<string, unknown> = new Map(Object.entries(parsed));
  const last = (name: OptionName): string | undefined => {
    const value: unknown = given.get(name);
    const one: unknown = Array.isArray(value) ? value.at(-1) : value;
    return typeof one === 'string' ? one : undefined;
  };
  const list = (name: OptionName): string[] => {
    const value = given.get(name);
    return (Array.isArray(value) ? value : [value]).filter((one): one is string => typeof one === 'string');
  };
  const filled = (name: OptionName): string | undefined => {
    const value = last(name);
    if (value === '') throw new UsageError(emptyValueText(`--${name}`));
    return value;
  };
  const { cells } = tokens;
  if (cells.length === 0) throw new UsageError(noCellText);
  if (cells.filter((cell) => cell.kind === 'file' && cell.name === '-').length > 1)
    throw new UsageError(stdinTwiceText);
  return {
    command: 'run',
    cells,
    tools: list('tools'),
    ...execOf(given.get('exec') === true, filled('exec-server')),
    host: filled('host'),
    hostArgs: list('host-arg'),
    env: variables(list('env')),
    inheritEnv: given.get('inherit-env') === true,
    handshakeTimeoutMs:
      wholeNumber('handshake-timeout', last('handshake-timeout')) ?? options['handshake-timeout'].initial,
    timeoutMs: wholeNumber('timeout', last('timeout')) ?? options.timeout.initial,
    yieldTimeMs: wholeNumber('yield-time', last('yield-time')),
    maxOutputTokens: wholeNumber('max-output-tokens', last('max-output-tokens')),
    maxHeapMb: wholeNumber('max-heap', last('max-heap')),
    outDir: filled('out-dir') ?? options['out-dir'].initial,
    json: given.get('json') === true,
    verbose: given.get('verbose') === true,
  };
}

function execOf(here: boolean, url: string | undefined): Pick<RunArguments, 'exec'> {
  if (here && url !== undefined) throw new UsageError(execTwiceText);
  if (url === undefined) return here ? { exec: { kind: 'here' } } : {};
  if (!/^wss?:\/\//.test(url)) throw new UsageError(badExecServerText(url));
  return { exec: { kind: 'server', url } };
}

/** `--help` wins over every mistake, but not where the word is the value of another option, or behind `--`. */
function asksFor(argv: readonly string[], ...spellings: readonly string[]): boolean {
  for (let at = 0; at < argv.length; at += 1) {
    const token = argv[at] ?? '';
    if (token === '--') return false;
    if (spellings.includes(token)) return true;
    const name = token === '-e' ? 'eval' : token.slice(2);
    const option = token.startsWith('-') ? optionTable.get(name) : undefined;
    if (option !== undefined && option.kind !== 'flag') at += 1;
  }
  return false;
}

/** Also for a command line that cannot be parsed: its error must come in the form that was asked for. */
export const asksForJson = (argv: readonly string[]): boolean => asksFor(argv, '--json');

/** Nothing is rounded, clamped or guessed: a limit that is not what was meant is worse than none (bugs.md T1). */
function wholeNumber(name: OptionName, given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  const { minimum = 0, maximum = Number.MAX_SAFE_INTEGER } = optionTable.get(name) ?? {};
  const value = /^[0-9]{1,16}$/.test(given) ? Number(given) : Number.NaN;
  if (value >= minimum && value <= maximum) return value;
  throw new UsageError(badNumberText(`--${name}`, given, minimum, maximum));
}

/** A name without a value is taken over from our environment by whoever builds the host's. */
function variables(given: readonly string[]): Record<string, string | undefined> {
  const entries = given.map((text): [string, string | undefined] => {
    const sign = text.indexOf('=');
    const name = sign === -1 ? text : text.slice(0, sign);
    if (name === '' || text.includes('\0')) throw new UsageError(badVariableText(text));
    return [name, sign === -1 ? undefined : text.slice(sign + 1)];
  });
  return Object.fromEntries(entries);
}
