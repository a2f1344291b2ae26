import { isFunction, maybeArgument, needArgument } from '../names/argument.js';
import { checkOptionNames, type OptionNames } from '../names/option-names.js';
import { DEFAULT_OUTPUT_TOKENS, DEFAULT_YIELD_MS } from '../protocol/limits.js';
import type { Preflight } from '../source/index.js';
import type { SessionOptions } from '../supervisor/host.js';
import { Toolbox } from '../tools/toolbox.js';
import type { CellListeners } from './cell-toolboxes.js';
import * as say from './messages.js';
import { refused } from './refusal.js';

export interface ContractOptions {
  /** The tools of cells, or a function that is asked for them at each `exec`. */
  readonly toolbox: Toolbox | (() => Toolbox);
  /** For the descriptions of `exec` and `wait` together, four bytes each. Default: 100,000. */
  readonly maxTokens?: number;
  /**
   * What is done about slips in a source. `fix` repairs what can be repaired with certainty, and tells the model of that
   * and of the rest; `report` only tells. Default: `fix`.
   */
  readonly preflight?: Preflight;
  /** How long a call waits for its cell when the model does not say, in ms. Default: 10,000. */
  readonly defaultYieldTimeMs?: number;
  /** How much output a call gives when the model does not say, four bytes each. Default: 10,000. */
  readonly defaultMaxOutputTokens?: number;
}

export interface OpenContractOptions
  extends ContractOptions,
    CellListeners,
    Pick<SessionOptions, 'limits' | 'signal'> {}

export interface ResolvedOptions {
  readonly toolbox: () => Toolbox;
  readonly maxTokens: number | undefined;
  readonly preflight: Preflight;
  readonly defaults: { readonly yieldTimeMs: number; readonly maxOutputTokens: number };
}

const known: OptionNames<ContractOptions> = {
  toolbox: true,
  maxTokens: true,
  preflight: true,
  defaultYieldTimeMs: true,
  defaultMaxOutputTokens: true,
};

const knownOfOpen: OptionNames<OpenContractOptions> = {
  ...known,
  onNotify: true,
  onProgress: true,
  limits: true,
  signal: true,
};

const OPEN = 'ExecContract.open';

/** Throws `invalid-argument` for a host that is none, and for a name that `ExecContract.open` does not know. */
export function checkOpenOptions(host: unknown, options: OpenContractOptions): void {
  checkOptionNames(OPEN, options, knownOfOpen);
  needArgument(OPEN, 'host', Object(host).openSession, isFunction, say.hostWords);
  for (const name of ['onNotify', 'onProgress'] as const)
    maybeArgument(OPEN, name, options[name], isFunction, 'a function');
}

const modes: readonly unknown[] = ['off', 'report', 'fix'];

/** Throws `invalid-argument` for what cannot be used. */
export function resolveOptions(options: ContractOptions): ResolvedOptions {
  checkOptionNames('new ExecContract', options, known);
  const { toolbox, maxTokens, preflight = 'fix' } = options;
  if (!(toolbox instanceof Toolbox) && typeof toolbox !== 'function') throw refused(say.notAToolboxText);
  if (!modes.includes(preflight)) throw refused(say.notAPreflightText(preflight));
  const yieldTimeMs = amount('defaultYieldTimeMs', options.defaultYieldTimeMs ?? DEFAULT_YIELD_MS);
  const maxOutputTokens = amount('defaultMaxOutputTokens', options.defaultMaxOutputTokens ?? DEFAULT_OUTPUT_TOKENS);
  return {
    toolbox: typeof toolbox === 'function' ? () => checked(toolbox()) : () => toolbox,
    maxTokens,
    preflight,
    defaults: { yieldTimeMs, maxOutputTokens },
  };
}

function checked(toolbox: unknown): Toolbox {
  if (toolbox instanceof Toolbox) return toolbox;
  throw refused(say.notAToolboxText);
}

function amount(name: string, value: unknown): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw refused(say.notANumberText(name, value));
}
