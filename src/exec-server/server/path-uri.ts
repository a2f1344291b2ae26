import { isAbsolute, normalize, posix } from 'node:path';
import { pathToFileURL } from 'node:url';
import { RpcError, rpcCodes } from '../wire/index.js';
import {
  foreignCwdText,
  foreignUriText,
  relativeUriText,
  uriFragmentText,
  uriQueryText,
  uriSchemeText,
} from './messages.js';

const windows = process.platform === 'win32';
const platformName = process.platform === 'win32' ? 'windows' : process.platform === 'darwin' ? 'macos' : 'linux';

export interface PathRules {
  /** Also a native absolute path, as in the first generation of the protocol. */
  readonly acceptNative: boolean;
}

/** A path of this machine from the URI in a file request. */
export const pathFromUri = (uri: string, rules: PathRules): string =>
  decode(uri, rules, rpcCodes.invalidRequest, (reason) => reason);

/** As `pathFromUri`, with the words for a working directory. */
export const cwdFromUri = (uri: string, rules: PathRules): string =>
  decode(uri, rules, rpcCodes.invalidParams, (reason) => foreignCwdText(uri, reason));

export const uriFromPath = (path: string): string => pathToFileURL(path).href;

function decode(uri: string, rules: PathRules, foreignCode: number, words: (reason: string) => string): string {
  if (rules.acceptNative && isAbsolute(uri) && !uri.includes('\0')) return withoutTrailingSlash(normalize(uri));
  const trimmed = uri.trim();
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(trimmed)?.[1]?.toLowerCase();
  if (scheme === undefined) throw invalid(relativeUriText);
  if (scheme !== 'file') throw invalid(uriSchemeText(scheme));
  const [beforeFragment = '', ...fragments] = trimmed.slice('file:'.length).split('#');
  const [hierarchy = '', ...queries] = beforeFragment.split('?');
  if (queries.length > 0) throw invalid(uriQueryText);
  if (fragments.length > 0) throw invalid(uriFragmentText);
  const { host, path } = parts(hierarchy);
  const foreign = words(foreignUriText(trimmed, platformName));
  if (host !== '' && host.toLowerCase() !== 'localhost') throw new RpcError(foreignCode, foreign);
  const drive = /^\/[a-z]:(\/|$)/i.test(path);
  if (drive !== windows) throw new RpcError(foreignCode, foreign);
  const decoded = percentDecoded(path);
  if (decoded.includes('\0')) throw invalid(foreign);
  // Lexically, before any link is looked at: what follows `..` is what the sender sees, not what lies behind a link.
  const clean = withoutTrailingSlash(posix.normalize(`/${decoded}`));
  return windows ? clean.slice(1).replaceAll('/', '\\') : clean;
}

const invalid = (message: string): RpcError => new RpcError(rpcCodes.invalidParams, message);

function parts(hierarchy: string): { host: string; path: string } {
  if (!hierarchy.startsWith('//')) return { host: '', path: hierarchy };
  const slash = hierarchy.indexOf('/', 2);
  if (slash === -1) return { host: hierarchy.slice(2), path: '/' };
  return { host: hierarchy.slice(2, slash), path: hierarchy.slice(slash) };
}

/** Broken percent sequences stand for themselves; bytes that are not UTF-8 become U+FFFD. */
function percentDecoded(path: string): string {
  if (!path.includes('%')) return path;
  const bytes = Buffer.from(path, 'utf8');
  const result: number[] = [];
  for (let at = 0; at < bytes.length; at += 1) {
    const code = bytes[at] ?? 0;
    const pair = code === 0x25 ? bytes.toString('latin1', at + 1, at + 3) : '';
    if (/^[0-9a-f]{2}$/i.test(pair)) {
      result.push(Number.parseInt(pair, 16));
      at += 2;
    } else result.push(code);
  }
  return Buffer.from(result).toString('utf8');
}

const withoutTrailingSlash = (path: string): string => (path.length > 1 ? path.replace(/[/]+$/, '') || '/' : path);
