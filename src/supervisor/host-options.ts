import { defaultRequestLimits, type RequestLimits } from '../connection/request-limits.js';
import type { CodemodeError } from '../errors.js';
import { capabilities } from '../protocol/index.js';
import { invalidTimeout, notAString } from './messages.js';
import { checkOptionNames } from './option-names.js';
import { ownHost } from './own-host.js';

export interface HostOptions {
  /** Path, or name to be found in PATH; by default our own host, and `args` are then its. */
  readonly program?: string | undefined;
  readonly args?: readonly string[] | undefined;
  /** The host's working directory; by default that of this process. */
  readonly cwd?: string | undefined;
  /** What the host gets of our environment; by default only what a program needs to run. */
  readonly env?:
    | {
        readonly inherit?: boolean | undefined;
        readonly set?: Readonly<Record<string, string | undefined>> | undefined;
      }
    | undefined;
  /** Over saying hello and hearing the answer, in ms; 30,000 by default, `Infinity` for no limit. */
  readonly handshakeTimeoutMs?: number | undefined;
  /** Capabilities that are offered to the host; all that this package knows by default. */
  readonly capabilities?: readonly string[] | undefined;
  readonly limits?: Partial<RequestLimits> | undefined;
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

const known = {
  program: true,
  args: true,
  cwd: true,
  env: true,
  handshakeTimeoutMs: true,
  capabilities: true,
  limits: true,
  onEvent: true,
} as const satisfies Readonly<Record<keyof HostOptions, true>>;

/** Fills in the defaults. Throws `invalid-argument` for a name that is not known, and a limit that cannot be one. */
export function resolveOptions(options: HostOptions): ResolvedOptions {
  checkOptionNames(options, Object.keys(known));
  // Only what the caller gave: what others have planted on Object.prototype is no option.
  const { env, limits: givenLimits }: HostOptions = Object.assign(Object.create(null), options);
  if (env !== undefined) checkOptionNames(env, ['inherit', 'set'], 'env.');
  if (givenLimits !== undefined) checkOptionNames(givenLimits, Object.keys(defaultRequestLimits), 'limits.');
  const given = Object.entries(options.limits ?? {}).filter(([, ms]) => ms !== undefined);
  const limits: RequestLimits = { ...defaultRequestLimits, ...Object.fromEntries(given) };
  const handshakeTimeoutMs = options.handshakeTimeoutMs ?? DEFAULT_HANDSHAKE_MS;
  for (const [name, ms] of Object.entries({ ...limits, handshakeTimeoutMs })) {
    if (typeof ms !== 'number' || !(ms > 0)) throw invalidTimeout(name, ms);
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

function programOf({ program, args = [], cwd }: HostOptions): { program: string; args: readonly string[] } {
  const texts: [string, unknown][] = [
    ['program', program ?? ''],
    ['cwd', cwd ?? ''],
  ];
  for (const [index, arg] of args.entries()) texts.push([`args[${index}]`, arg]);
  for (const [name, value] of texts) if (typeof value !== 'string') throw notAString(name, value);
  if (program !== undefined) return { program, args };
  const own = ownHost();
  return { program: own.program, args: [...own.args, ...args] };
}
