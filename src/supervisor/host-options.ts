import { defaultRequestLimits, type RequestLimits } from '../connection/request-limits.js';
import type { CodemodeError } from '../errors.js';
import {
  type Check,
  isFunction,
  isLimit,
  isText,
  isTexts,
  limitWords,
  maybeArgument,
  needArgument,
} from '../names/argument.js';
import { checkOptionNames, type OptionNames } from '../names/option-names.js';
import { capabilities } from '../protocol/index.js';
import { ownHost } from './own-host.js';

export interface HostOptions {
  /** Path, or name to be found in PATH; by default our own host, and `args` are then its. */
  readonly program?: string | undefined;
  /** By default none. */
  readonly args?: readonly string[] | undefined;
  /** The host's working directory; by default that of this process. One that is not there is a `spawn-failed`. */
  readonly cwd?: string | undefined;
  /** What the host gets of our environment; by default only what a program needs to run. */
  readonly env?:
    | {
        /** All of it, but for what looks like a secret and what Codex is launched with. Default: false. */
        readonly inherit?: boolean | undefined;
        /** Added to that, secrets too; an undefined value stands for that of our own environment. */
        readonly set?: Readonly<Record<string, string | undefined>> | undefined;
      }
    | undefined;
  /** Over saying hello and hearing the answer, in ms; 30,000 by default, `Infinity` for no limit. */
  readonly handshakeTimeoutMs?: number | undefined;
  /** Capabilities that are offered to the host; all that this package knows by default. */
  readonly capabilities?: readonly string[] | undefined;
  /** How long requests may take. */
  readonly limits?: Partial<RequestLimits> | undefined;
  /** Called as things happen; what it throws is dropped. */
  readonly onEvent?: ((event: HostEvent) => void) | undefined;
}

/** A host that has answered. */
export interface HostInfo {
  readonly pid: number;
  readonly program: string;
  readonly version: number;
  readonly capabilities: readonly string[];
  readonly codec: 'json' | 'msgpack';
  readonly handshakeMs: number;
}

/** What happens to the host's process and to the connection with it. */
export type HostEvent =
  | { readonly type: 'spawned'; readonly pid: number; readonly program: string }
  | ({ readonly type: 'ready' } & HostInfo)
  | { readonly type: 'stderr'; readonly line: string }
  /** A connection that was in use is lost; not sent for `close()`. */
  | { readonly type: 'dead'; readonly error: CodemodeError }
  | { readonly type: 'exited'; readonly pid: number; readonly status: string };

const DEFAULT_HANDSHAKE_MS = 30_000;

export interface ResolvedOptions extends HostOptions {
  readonly program: string;
  readonly args: readonly string[];
  readonly handshakeTimeoutMs: number;
  readonly capabilities: readonly string[];
  readonly limits: RequestLimits;
  /** Never throws. */
  readonly onEvent: (event: HostEvent) => void;
}

const CALL = 'new Host';

const known: OptionNames<HostOptions> = {
  program: true,
  args: true,
  cwd: true,
  env: true,
  handshakeTimeoutMs: true,
  capabilities: true,
  limits: true,
  onEvent: true,
};
const knownOfEnv: OptionNames<NonNullable<HostOptions['env']>> = { inherit: true, set: true };
const knownLimits: OptionNames<RequestLimits> = {
  openMs: true,
  executeMs: true,
  firstResultGraceMs: true,
  waitGraceMs: true,
  terminateMs: true,
  shutdownMs: true,
};

/** Fills in the defaults. Throws `invalid-argument` for a name that is not known, and a limit that cannot be one. */
export function resolveOptions(options: HostOptions): ResolvedOptions {
  checkOptionNames(CALL, options, known);
  // Only what the caller gave: what others have planted on Object.prototype is no option.
  const { env, limits: givenLimits }: HostOptions = Object.assign(Object.create(null), options);
  if (env !== undefined) checkOptionNames(CALL, env, knownOfEnv, 'env');
  maybeArgument(CALL, 'env.set', env?.set, isVariables, 'an object of strings');
  maybeArgument(CALL, 'args', options.args, Array.isArray, 'an array of strings');
  maybeArgument(CALL, 'capabilities', options.capabilities, isTexts, 'an array of strings');
  maybeArgument(CALL, 'onEvent', options.onEvent, isFunction, 'a function');
  if (givenLimits !== undefined) checkOptionNames(CALL, givenLimits, knownLimits, 'limits');
  const given = Object.entries(options.limits ?? {}).filter(([, ms]) => ms !== undefined);
  const limits: RequestLimits = { ...defaultRequestLimits, ...Object.fromEntries(given) };
  const handshakeTimeoutMs = options.handshakeTimeoutMs ?? DEFAULT_HANDSHAKE_MS;
  for (const [name, ms] of Object.entries({ ...limits, handshakeTimeoutMs })) {
    needArgument(CALL, Object.hasOwn(limits, name) ? `limits.${name}` : name, ms, isLimit, limitWords);
  }
  return {
    ...options,
    ...programOf(options),
    handshakeTimeoutMs,
    capabilities: options.capabilities ?? capabilities,
    limits,
    onEvent: (event) => {
      try {
        options.onEvent?.(event);
      } catch {
        // A listener's fault must not become the host's.
      }
    },
  };
}

const isVariables: Check = (value) =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).every((one) => one === undefined || typeof one === 'string');

function programOf({ program, args = [], cwd }: HostOptions): { program: string; args: readonly string[] } {
  const texts: [string, unknown][] = [
    ['program', program ?? ''],
    ['cwd', cwd ?? ''],
  ];
  for (const [index, arg] of args.entries()) texts.push([`args[${index}]`, arg]);
  for (const [name, value] of texts) needArgument(CALL, name, value, isText, 'a string');
  if (program !== undefined) return { program, args };
  const own = ownHost();
  return { program: own.program, args: [...own.args, ...args] };
}
