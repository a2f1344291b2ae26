import { absentOrNull, anything, listOf, struct, text, u64 } from './guard.js';

/** What this package's server says of its protocol, for clients of the first generation. */
export const PROTOCOL_NAME = 'exec-server.v0';

export interface InitializeParams {
  readonly clientName: string;
  readonly resumeSessionId?: string | null;
  /** First generation; looked at only where a token is configured. */
  readonly authToken?: unknown;
  /** Of our own: what the client takes in one message. Absent: as many bytes as come, and 262,144 JSON values. */
  readonly maxMessageBytes?: number | null;
  readonly maxMessageValues?: number | null;
}

export const initializeParams = struct(
  'InitializeParams',
  { clientName: text },
  {
    resumeSessionId: absentOrNull(text),
    authToken: anything,
    maxMessageBytes: absentOrNull(u64),
    maxMessageValues: absentOrNull(u64),
  },
);

/** What a server says of itself and of the machine it runs on; all of it may be absent. */
export interface EnvironmentInfo {
  readonly shell?: { readonly name: string; readonly path: string };
  readonly executorVersion?: string;
  readonly providerId?: string;
  /** File URIs. */
  readonly cwd?: string;
  readonly userHomeDir?: string;
  readonly platformOs?: string;
  readonly prependPathDirs?: readonly string[];
  readonly temporaryDirectories?: readonly string[];
  readonly tempDir?: string;
  /** What it can do beyond the protocol, by name. */
  readonly capabilities?: Readonly<Record<string, unknown>>;
  readonly [more: string]: unknown;
}

export interface InitializeResult {
  readonly protocolVersion: typeof PROTOCOL_NAME;
  readonly sessionId: string;
  readonly environmentInfo: EnvironmentInfo;
}

/** What a client needs of it. A server of the first generation has no sessions and tells nothing of itself. */
export const initializeResult = struct(
  'InitializeResult',
  {},
  {
    protocolVersion: absentOrNull(text),
    sessionId: absentOrNull(text),
    environmentInfo: absentOrNull(environmentInfo),
  },
);

/** Known members have their types, others stay as they are. */
export function environmentInfo(value: unknown, path: string): EnvironmentInfo {
  knownMembers(value, path);
  return value as EnvironmentInfo;
}

const knownMembers = struct(
  'EnvironmentInfo',
  {},
  {
    shell: absentOrNull(struct('Shell', { name: text, path: text })),
    executorVersion: absentOrNull(text),
    providerId: absentOrNull(text),
    cwd: absentOrNull(text),
    userHomeDir: absentOrNull(text),
    platformOs: absentOrNull(text),
    prependPathDirs: absentOrNull(listOf(text)),
    temporaryDirectories: absentOrNull(listOf(text)),
    tempDir: absentOrNull(text),
    capabilities: absentOrNull(struct('Capabilities', {})),
  },
);

export interface EnvironmentStatus {
  readonly status: string;
}

export const environmentStatus = struct('EnvironmentStatus', { status: text });
