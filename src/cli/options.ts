import { DEFAULT_CELL_TIMEOUT_MS, DEFAULT_CELL_YIELD_MS } from '../supervisor/run-cell.js';

/** Node's timers fire at once above this many ms. */
const MAX_MS = 2_147_483_647;
/** In MB; keeps the number of bytes a safe integer by far. */
const MAX_HEAP = 1_048_576;

export interface Option {
  readonly kind: 'flag' | 'text' | 'list' | 'number';
  readonly alias?: string;
  /** What stands for the value in `--help`. */
  readonly value?: string;
  readonly text: string;
  /** For numbers: inclusive bounds, and the default that `--help` shows. */
  readonly minimum?: number;
  readonly maximum?: number;
  readonly initial?: number | string;
}

/** The one table that parsing, validation and `--help` are made from. */
export const options = {
  eval: { kind: 'list', alias: 'e', value: 'SOURCE', text: "A cell's source; repeatable" },
  tools: { kind: 'list', value: 'FILE', text: 'ES module that exports tools; repeatable' },
  exec: { kind: 'flag', text: 'Give cells tools that run commands and use files, here and as this user' },
  'exec-server': { kind: 'text', value: 'URL', text: 'The same tools, on the machine of an exec-server at ws://…' },
  host: { kind: 'text', value: 'PATH', initial: 'our own host', text: 'Another host program' },
  'host-arg': { kind: 'list', value: 'ARG', text: 'Argument for the host, passed exactly as given; repeatable' },
  env: {
    kind: 'list',
    value: 'NAME[=VALUE]',
    text: "Addition to the host's environment, without VALUE taken from ours; repeatable",
  },
  'inherit-env': { kind: 'flag', text: 'Pass our environment to the host, except what looks like a secret' },
  'handshake-timeout': {
    kind: 'number',
    value: 'MS',
    minimum: 1,
    maximum: MAX_MS,
    initial: 30_000,
    text: "Limit for the host's hello",
  },
  timeout: {
    kind: 'number',
    value: 'MS',
    minimum: 1,
    maximum: MAX_MS,
    initial: DEFAULT_CELL_TIMEOUT_MS,
    text: 'Limit for each cell',
  },
  'yield-time': {
    kind: 'number',
    value: 'MS',
    minimum: 1,
    maximum: MAX_MS,
    initial: DEFAULT_CELL_YIELD_MS,
    text: 'How often a running cell is asked for what it printed',
  },
  'max-output-tokens': {
    kind: 'number',
    value: 'N',
    minimum: 0,
    maximum: 2 ** 31 - 1,
    initial: 'none',
    text: "Limit for a cell's output, four bytes a token; then it comes at the end, with its middle cut out",
  },
  'max-heap': {
    kind: 'number',
    value: 'MB',
    minimum: 1,
    maximum: MAX_HEAP,
    initial: "the host's own",
    text: "Limit for a cell's memory, handed to the host",
  },
  'out-dir': {
    kind: 'text',
    value: 'DIR',
    initial: '.',
    text: 'Where images and audio are written (not with --json, where they stay in the events)',
  },
  json: { kind: 'flag', text: 'Print one JSON event a line; the last is a `result` or an `error`' },
  verbose: { kind: 'flag', text: "Show the host's stderr, and what the supervisor does, on stderr" },
  help: { kind: 'flag', alias: 'h', text: 'Show this help' },
  version: { kind: 'flag', text: 'Show the version' },
} as const satisfies Readonly<Record<string, Option>>;

export type OptionName = keyof typeof options;

export const optionTable: ReadonlyMap<string, Option> = new Map<string, Option>(Object.entries(options));
