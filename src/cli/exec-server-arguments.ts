import { isIP } from 'node:net';
import { CodemodeError } from '../errors.js';
import { nearest } from '../names/nearest-name.js';
import {
  authModeText,
  authNeedsModeText,
  authWithStdioText,
  foreignAuthOptionText,
  invalidListenText,
  secretSourceText,
  surplusArgumentText,
  tokenSourcesText,
  tokenSourceText,
  unsupportedListenText,
} from './exec-server-messages.js';
import { badNumberText, emptyValueText, missingValueText, surplusValueText, unknownOptionText } from './messages.js';
import { UsageError } from './usage-error.js';

export type ListenAddress =
  | { readonly kind: 'stdio' }
  | { readonly kind: 'ws'; readonly host: string; readonly port: number };

/** Where the secrets are; they are read later. */
export type AuthArguments =
  | { readonly mode: 'none' }
  | { readonly mode: 'capability-token'; readonly file: string | undefined; readonly digest: string | undefined }
  | {
      readonly mode: 'signed-bearer-token';
      readonly file: string;
      readonly issuer: string | undefined;
      readonly audience: string | undefined;
      readonly skewSeconds: number | undefined;
    };

export interface ExecServerArguments {
  readonly command: 'exec-server';
  readonly listen: ListenAddress;
  readonly auth: AuthArguments;
  readonly authTokenFile: string | undefined;
  readonly concurrentRequests: number | undefined;
  readonly detachedTtlMs: number | undefined;
  readonly acceptNativePaths: boolean;
  readonly markProcesses: boolean;
}

const DEFAULT_LISTEN = 'ws://127.0.0.1:0';
const MAX_TTL_SECONDS = 2_000_000;
const MAX_REQUESTS = 1_024;
const MAX_SKEW_SECONDS = 31_536_000;

const flags = new Set(['--accept-native-paths', '--no-process-marks']);
/** Each with what stands for its value. */
const values: Readonly<Record<string, string>> = {
  '--listen': 'URL',
  '--concurrent-requests': 'N',
  '--detached-ttl': 'SECONDS',
  '--auth-token-file': 'FILE',
  '--ws-auth': 'MODE',
  '--ws-token-file': 'FILE',
  '--ws-token-sha256': 'HEX',
  '--ws-shared-secret-file': 'FILE',
  '--ws-issuer': 'TEXT',
  '--ws-audience': 'TEXT',
  '--ws-max-clock-skew-seconds': 'N',
};

type Given = ReadonlyMap<string, string>;

/** What follows `exec-server` on the command line, or an error. */
export function parseExecServerArguments(
  argv: readonly string[],
): ExecServerArguments | { readonly command: 'help' | 'version' } {
  if (argv.includes('--help') || argv.includes('-h')) return { command: 'help' };
  if (argv.includes('--version')) return { command: 'version' };
  const given = readOptions(argv);
  const ttl = wholeNumber(given, '--detached-ttl', 0, MAX_TTL_SECONDS);
  const concurrentRequests = wholeNumber(given, '--concurrent-requests', 1, MAX_REQUESTS);
  const listen = listenAddress(given.get('--listen') ?? DEFAULT_LISTEN);
  const auth = authOf(given);
  if (listen.kind === 'stdio' && auth.mode !== 'none') throw refused(authWithStdioText);
  return {
    command: 'exec-server',
    listen,
    auth,
    authTokenFile: filled(given, '--auth-token-file'),
    concurrentRequests,
    detachedTtlMs: ttl === undefined ? undefined : ttl * 1_000,
    acceptNativePaths: given.has('--accept-native-paths'),
    markProcesses: !given.has('--no-process-marks'),
  };
}

function readOptions(argv: readonly string[]): Given {
  const given = new Map<string, string>();
  for (let at = 0; at < argv.length; at += 1) {
    const token = argv[at] ?? '';
    if (!token.startsWith('-')) throw new UsageError(surplusArgumentText(token));
    const sign = token.indexOf('=');
    const name = sign === -1 ? token : token.slice(0, sign);
    if (flags.has(name)) {
      if (sign !== -1) throw new UsageError(surplusValueText(name));
      given.set(name, '');
      continue;
    }
    const placeholder = Object.hasOwn(values, name) ? values[name] : undefined;
    if (placeholder === undefined) {
      throw new UsageError(unknownOptionText(name, nearest(name, [...flags, ...Object.keys(values)].values())));
    }
    if (sign === -1) at += 1;
    const value = sign === -1 ? argv[at] : token.slice(sign + 1);
    if (value === undefined) throw new UsageError(missingValueText(name, placeholder));
    given.set(name, value);
  }
  return given;
}

/** Only addresses, no names: what a name stands for may change under us. */
function listenAddress(url: string): ListenAddress {
  if (url === 'stdio' || url === 'stdio://') return { kind: 'stdio' };
  if (!url.startsWith('ws://')) throw refused(unsupportedListenText(url));
  const [, bracketed, plain, digits] = /^ws:\/\/(?:\[([^\]]+)\]|([^:/[\]]+)):([0-9]{1,5})$/.exec(url) ?? [];
  const host = bracketed ?? plain ?? '';
  const port = Number(digits);
  if (isIP(host) !== (bracketed === undefined ? 4 : 6) || !(port <= 65_535)) throw refused(invalidListenText(url));
  return { kind: 'ws', host, port };
}

function authOf(given: Given): AuthArguments {
  const mode = given.get('--ws-auth');
  const [file, digest] = [filled(given, '--ws-token-file'), given.get('--ws-token-sha256')];
  const secret = filled(given, '--ws-shared-secret-file');
  const ofToken = ['--ws-token-file', '--ws-token-sha256'];
  const ofJwt = ['--ws-shared-secret-file', '--ws-issuer', '--ws-audience', '--ws-max-clock-skew-seconds'];
  const skewSeconds = wholeNumber(given, '--ws-max-clock-skew-seconds', 0, MAX_SKEW_SECONDS);
  if (mode === undefined) {
    if ([...ofToken, ...ofJwt].some((name) => given.has(name))) throw refused(authNeedsModeText);
    return { mode: 'none' };
  }
  if (mode !== 'capability-token' && mode !== 'signed-bearer-token') throw new UsageError(authModeText(mode));
  const foreign = (mode === 'capability-token' ? ofJwt : ofToken).find((name) => given.has(name));
  if (foreign !== undefined) throw refused(foreignAuthOptionText(foreign, mode));
  if (mode === 'capability-token') {
    if (file !== undefined && digest !== undefined) throw refused(tokenSourcesText);
    if (file === undefined && digest === undefined) throw refused(tokenSourceText);
    return { mode, file, digest };
  }
  if (secret === undefined) throw refused(secretSourceText);
  return { mode, file: secret, issuer: given.get('--ws-issuer'), audience: given.get('--ws-audience'), skewSeconds };
}

function filled(given: Given, name: string): string | undefined {
  const value = given.get(name);
  if (value === '') throw new UsageError(emptyValueText(name));
  return value;
}

function wholeNumber(given: Given, name: string, minimum: number, maximum: number): number | undefined {
  const text = given.get(name);
  if (text === undefined) return undefined;
  const value = /^[0-9]{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= minimum && value <= maximum) return value;
  throw new UsageError(badNumberText(name, text, minimum, maximum));
}

/** Not usage but configuration, which the reference answers with exit code 1. */
const refused = (message: string): CodemodeError => new CodemodeError('invalid-argument', message);
