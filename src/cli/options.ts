import { DEFAULT_CELL_TIMEOUT_MS, DEFAULT_CELL_YIELD_MS } from '../supervisor/run-cell.js';

/** Node's timers fire at once above this many ms, and tokens are a signed number of 32 bits on the wire. */
const MAX_SIGNED_32 = 2 ** 31 - 1;
/** Far above what anybody counts to. */
const MAX_CALLS = 1_000_000_000;
/** In MB; keeps the number of bytes a safe integer by far. */
const MAX_HEAP = 1_048_576;

/** `run` is the one that may be left out. */
export const commands = ['run', 'describe', 'check'] as const;
export type Command = (typeof commands)[number];

export interface Option {
  readonly kind: 'flag' | 'text' | 'list' | 'number' | 'choice';
  /** The commands that take it; without them every one does. */
  readonly of?: readonly Command[];
  readonly alias?: string;
  /** What stands for the value in `--help`. */
  readonly value?: string;
  readonly text: string;
  /** For numbers: inclusive bounds, and the default that `--help` shows. */
  readonly minimum?: number;
  readonly maximum?: number;
  readonly initial?: number | string;
  readonly choices?: readonly string[];
}

const run = ['run'] as const;
const withCells = ['run', 'check'] as const;

/** The one table that parsing, validation and `--help` are made from. */
export const options = {
  eval: { kind: 'list', of: withCells, alias: 'e', value: 'SOURCE', text: "A cell's source; repeatable" },
  tools: { kind: 'list', value: 'FILE', text: 'ES module that exports tools; repeatable' },
  mcp: {
    kind: 'list',
    value: 'FILE',
    text: 'JSON file with `mcpServers`, whose tools are `mcp__SERVER__TOOL`; repeatable',
  },
  'mcp-timeout': {
    kind: 'number',
    value: 'MS',
    minimum: 1,
    maximum: MAX_SIGNED_32,
    initial: 10_000,
    text: 'Limit for the start of each MCP server, its list of tools included',
  },
  'mcp-optional': { kind: 'flag', text: 'Go on without MCP servers that do not start' },
  exec: { kind: 'flag', text: 'Give cells tools that run commands and use files, here and as this user' },
  'exec-server': { kind: 'text', value: 'URL', text: 'The same tools, on the machine of an exec-server at ws://…' },
  'allow-tool': {
    kind: 'list',
    value: 'GLOB',
    text: 'Offer only the tools whose name matches, such as `mcp__github__*`; repeatable',
  },
  'deny-tool': {
    kind: 'list',
    value: 'GLOB',
    text: 'Do not offer tools whose name matches, allowed or not; repeatable',
  },
  'max-calls': {
    kind: 'number',
    of: run,
    value: 'N',
    minimum: 1,
    maximum: MAX_CALLS,
    initial: 10_000,
    text: 'Limit for the tool calls of each cell',
  },
  'max-calls-in-flight': {
    kind: 'number',
    of: run,
    value: 'N',
    minimum: 1,
    maximum: MAX_CALLS,
    initial: 256,
    text: 'How many tool calls are served at once; others wait',
  },
  preflight: {
    kind: 'choice',
    of: run,
    value: 'MODE',
    choices: ['off', 'report', 'fix'],
    initial: 'report; with --json fix',
    text: 'What to do about slips of models, such as code fences or calls without await: off, report, fix',
  },
  check: { kind: 'flag', of: run, text: 'Check the types of all cells first, as `codemode-run check` does' },
  compiler: {
    kind: 'text',
    of: withCells,
    value: 'PATH',
    initial: 'the package `typescript` found from here',
    text: "TypeScript's tsc, for checks",
  },
  'max-tokens': {
    kind: 'number',
    of: ['describe'],
    value: 'N',
    minimum: 1,
    maximum: MAX_SIGNED_32,
    initial: 100_000,
    text: 'Limit for the description, four bytes a token',
  },
  format: {
    kind: 'choice',
    of: ['describe'],
    value: 'FORMAT',
    choices: ['text', 'json', 'dts'],
    initial: 'text',
    text: 'text: for people and prompts; json: the tools `exec` and `wait` as data; dts: TypeScript declarations',
  },
  host: { kind: 'text', of: run, value: 'PATH', initial: 'our own host', text: 'Another host program' },
  'host-arg': {
    kind: 'list',
    of: run,
    value: 'ARG',
    text: 'Argument for the host, passed exactly as given; repeatable',
  },
  env: {
    kind: 'list',
    of: run,
    value: 'NAME[=VALUE]',
    text: "Addition to the host's environment, without VALUE taken from ours; repeatable",
  },
  'inherit-env': { kind: 'flag', of: run, text: 'Pass our environment to the host, except what looks like a secret' },
  'handshake-timeout': {
    kind: 'number',
    of: run,
    value: 'MS',
    minimum: 1,
    maximum: MAX_SIGNED_32,
    initial: 30_000,
    text: "Limit for each of the host's answers until a cell runs, its hello first",
  },
  timeout: {
    kind: 'number',
    of: run,
    value: 'MS',
    minimum: 1,
    maximum: MAX_SIGNED_32,
    initial: DEFAULT_CELL_TIMEOUT_MS,
    text: 'Limit for each cell',
  },
  'yield-time': {
    kind: 'number',
    of: run,
    value: 'MS',
    minimum: 1,
    maximum: MAX_SIGNED_32,
    initial: DEFAULT_CELL_YIELD_MS,
    text: 'How often a running cell is asked for what it printed',
  },
  'max-output-tokens': {
    kind: 'number',
    of: run,
    value: 'N',
    minimum: 0,
    maximum: MAX_SIGNED_32,
    initial: 'none',
    text: "Limit for a cell's output, four bytes a token; then it comes at the end, with its middle cut out",
  },
  'max-heap': {
    kind: 'number',
    of: run,
    value: 'MB',
    minimum: 1,
    maximum: MAX_HEAP,
    initial: "the host's own",
    text: "Limit for a cell's memory, handed to the host",
  },
  'out-dir': {
    kind: 'text',
    of: run,
    value: 'DIR',
    initial: '.',
    text: 'Where images and audio are written (not with --json, where they stay in the events)',
  },
  json: { kind: 'flag', of: withCells, text: 'Print one JSON event a line; the last is a `result` or an `error`' },
  verbose: {
    kind: 'flag',
    text: 'Show what host and MCP servers write to their stderr, and what the supervisor does, on stderr',
  },
  help: { kind: 'flag', alias: 'h', text: 'Show this help' },
  version: { kind: 'flag', text: 'Show the version' },
} as const satisfies Readonly<Record<string, Option>>;

export type OptionName = keyof typeof options;

/** What one command takes, by name. */
export function optionsOf(command: Command): ReadonlyMap<string, Option> {
  const all: readonly [string, Option][] = Object.entries(options);
  return new Map(all.filter(([, { of }]) => of === undefined || of.includes(command)));
}
