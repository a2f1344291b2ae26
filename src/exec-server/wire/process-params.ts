import { absentOrNull, anything, between, flag, struct, text, textMap, texts, u64, word } from './guard.js';

// Params of `process/*`, as a server reads them.

/**
 * How the environment of a process is made from that of the server, in this order: what `inherit` names is taken, less what
 * `exclude` matches; `set` is laid over it; of that only what `includeOnly` matches is kept; the `env` of the start is laid
 * over the rest. Patterns are globs of whole names (`*`, `?`, `[a-z]`, `[!a-z]`) in whatever case; all together they may not
 * be so long that matching takes more than 10 million steps (-32602).
 */
export interface EnvironmentPolicy {
  /** `core`: what a shell needs to be itself, such as `HOME`, `LANG`, `PATH`, `SHELL`, `TMPDIR` and `USER`. */
  readonly inherit: 'core' | 'all' | 'none';
  /** False: `*KEY*`, `*SECRET*` and `*TOKEN*` are excluded too. */
  readonly ignoreDefaultExcludes: boolean;
  readonly exclude: readonly string[];
  readonly set: Readonly<Record<string, string>>;
  /** Empty: everything is kept. */
  readonly includeOnly: readonly string[];
}

export interface StartParams {
  readonly processId: string;
  readonly argv: readonly string[];
  /** A file URI; a native path where the server was told to take those. */
  readonly cwd: string;
  /** The whole environment of the process, unless `envPolicy` says otherwise. */
  readonly env: Readonly<Record<string, string>>;
  readonly tty: boolean;
  readonly arg0?: string | null;
  readonly pipeStdin?: boolean;
  readonly envPolicy?: EnvironmentPolicy | null;
  /** Refused by a server without one, unless absent, null or disabled. */
  readonly sandbox?: unknown;
  readonly metadata?: unknown;
  readonly enforceManagedNetwork?: unknown;
  readonly managedNetwork?: unknown;
  readonly networkProxy?: unknown;
  readonly shellSnapshot?: unknown;
  /** Ours: size of the terminal. */
  readonly rows?: number;
  readonly cols?: number;
}

const environmentPolicy = struct('EnvironmentPolicy', {
  inherit: word('core', 'all', 'none'),
  ignoreDefaultExcludes: flag,
  exclude: texts,
  set: textMap,
  includeOnly: texts,
});

const terminalSide = between(1, 65_535);

export const startParams = struct(
  'StartParams',
  { processId: text, argv: texts, cwd: text, env: textMap, tty: flag },
  {
    arg0: absentOrNull(text),
    pipeStdin: flag,
    envPolicy: absentOrNull(environmentPolicy),
    sandbox: anything,
    metadata: anything,
    enforceManagedNetwork: anything,
    managedNetwork: anything,
    networkProxy: anything,
    shellSnapshot: anything,
    rows: terminalSide,
    cols: terminalSide,
  },
);

export interface ReadParams {
  readonly processId: string;
  readonly afterSeq?: number | null;
  readonly maxBytes?: number | null;
  readonly waitMs?: number | null;
}

export const readParams = struct(
  'ReadParams',
  { processId: text },
  { afterSeq: absentOrNull(u64), maxBytes: absentOrNull(u64), waitMs: absentOrNull(u64) },
);

export interface WriteParams {
  readonly processId: string;
  /** Base64. */
  readonly chunk: string;
  readonly writeId: string;
  /** Ours: closes stdin behind the chunk. */
  readonly eof?: boolean;
}

export const writeParams = struct('WriteParams', { processId: text, chunk: text, writeId: text }, { eof: flag });

export interface TerminateParams {
  readonly processId: string;
  /** Ours: TERM first, KILL after this time. */
  readonly graceMs?: number | null;
}

export const terminateParams = struct('TerminateParams', { processId: text }, { graceMs: absentOrNull(u64) });

export interface SignalParams {
  readonly processId: string;
  readonly signal: 'interrupt';
}

export const signalParams = struct('SignalParams', { processId: text, signal: word('interrupt') });

/** Ours. */
export interface ResizeParams {
  readonly processId: string;
  readonly rows: number;
  readonly cols: number;
}

export const resizeParams = struct('ResizeParams', { processId: text, rows: terminalSide, cols: terminalSide });
