import { type CellArgument, tokenize } from './argument-tokens.js';
import type { Arguments, ToolArguments } from './arguments.js';
import { GivenOptions } from './given-options.js';
import {
  badExecServerText,
  badVariableText,
  emptyCellNameText,
  execTwiceText,
  noCellText,
  stdinTwiceText,
  surplusCellText,
} from './messages.js';
import { type Command, commands, type Option, options, optionsOf } from './options.js';
import { UsageError } from './usage-error.js';

/** The command line as data, or a `UsageError`. `run` is the default command and may be left out. */
export function parseArguments(argv: readonly string[]): Arguments {
  const { command, rest } = commandOf(argv);
  const table = optionsOf(command);
  if (asksFor(rest, table, '--help', '-h')) return { command: 'help', of: command };
  if (asksFor(rest, table, '--version')) return { command: 'version' };
  const tokens = tokenize(rest, table);
  const given = new GivenOptions(tokens.options, table);
  const verbose = given.flag('verbose');
  const tools = toolArguments(given);
  if (command === 'describe') {
    const [surplus] = tokens.cells;
    if (surplus?.kind === 'file') throw new UsageError(surplusCellText(surplus.name));
    const format = given.choice('format', options.format.choices) ?? options.format.initial;
    return { command, ...tools, maxTokens: given.wholeNumber('max-tokens'), format, verbose };
  }
  const cells = usableCells(tokens.cells);
  const json = given.flag('json');
  const compiler = given.filled('compiler');
  if (command === 'check') return { command, cells, ...tools, compiler, json, verbose };
  return {
    command,
    cells,
    ...tools,
    maxCalls: given.wholeNumber('max-calls') ?? options['max-calls'].initial,
    maxCallsInFlight: given.wholeNumber('max-calls-in-flight') ?? options['max-calls-in-flight'].initial,
    preflight: given.choice('preflight', options.preflight.choices) ?? (json ? 'fix' : 'report'),
    check: given.flag('check'),
    compiler,
    host: given.filled('host'),
    hostArgs: given.list('host-arg'),
    env: variables(given.list('env')),
    inheritEnv: given.flag('inherit-env'),
    handshakeTimeoutMs: given.wholeNumber('handshake-timeout') ?? options['handshake-timeout'].initial,
    timeoutMs: given.wholeNumber('timeout') ?? options.timeout.initial,
    yieldTimeMs: given.wholeNumber('yield-time'),
    maxOutputTokens: given.wholeNumber('max-output-tokens'),
    maxHeapMb: given.wholeNumber('max-heap'),
    outDir: given.filled('out-dir') ?? options['out-dir'].initial,
    json,
    verbose,
  };
}

function commandOf(argv: readonly string[]): { readonly command: Command; readonly rest: readonly string[] } {
  const command = commands.find((name) => name === argv[0]);
  return command === undefined ? { command: 'run', rest: argv } : { command, rest: argv.slice(1) };
}

function toolArguments(given: GivenOptions): ToolArguments {
  return {
    tools: given.filledList('tools'),
    mcp: given.filledList('mcp'),
    mcpTimeoutMs: given.wholeNumber('mcp-timeout') ?? options['mcp-timeout'].initial,
    mcpOptional: given.flag('mcp-optional'),
    ...execOf(given.flag('exec'), given.filled('exec-server')),
    allowTools: given.filledList('allow-tool'),
    denyTools: given.filledList('deny-tool'),
  };
}

function execOf(here: boolean, url: string | undefined): Pick<ToolArguments, 'exec'> {
  if (here && url !== undefined) throw new UsageError(execTwiceText);
  if (url === undefined) return here ? { exec: { kind: 'here' } } : {};
  if (!/^wss?:\/\//.test(url)) throw new UsageError(badExecServerText(url));
  return { exec: { kind: 'server', url } };
}

function usableCells(cells: readonly CellArgument[]): readonly CellArgument[] {
  if (cells.length === 0) throw new UsageError(noCellText);
  if (cells.filter((cell) => cell.kind === 'file' && cell.name === '-').length > 1)
    throw new UsageError(stdinTwiceText);
  if (cells.some((cell) => cell.kind === 'file' && cell.name === '')) throw new UsageError(emptyCellNameText);
  return cells;
}

/** `--help` wins over every mistake, but not where the word is the value of another option, or behind `--`. */
function asksFor(argv: readonly string[], table: ReadonlyMap<string, Option>, ...spellings: readonly string[]) {
  for (let at = 0; at < argv.length; at += 1) {
    const token = argv[at] ?? '';
    if (token === '--') return false;
    if (spellings.includes(token)) return true;
    const name = token === '-e' ? 'eval' : token.slice(2);
    const option = token.startsWith('-') ? table.get(name) : undefined;
    if (option !== undefined && option.kind !== 'flag') at += 1;
  }
  return false;
}

/** Also for a command line that cannot be parsed: its error must come in the form that was asked for. */
export function asksForJson(argv: readonly string[]): boolean {
  const { command, rest } = commandOf(argv);
  return asksFor(rest, optionsOf(command), '--json');
}

/** A name without a value is taken over from our environment by whoever builds the host's. */
function variables(given: readonly string[]): Record<string, string | undefined> {
  const entries = given.map((text): [string, string | undefined] => {
    const sign = text.indexOf('=');
    const name = sign === -1 ? text : text.slice(0, sign);
    if (name === '' || /[\s\p{Cc}]/u.test(name) || text.includes('\0')) throw new UsageError(badVariableText(text));
    return [name, sign === -1 ? undefined : text.slice(sign + 1)];
  });
  return Object.fromEntries(entries);
}
