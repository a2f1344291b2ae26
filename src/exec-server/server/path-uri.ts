import { isUtf8 } from 'node:buffer';
import { isAbsolute, normalize, posix } from 'node:path';
import { pathToFileURL } from 'node:url';
import { MAX_PATH_URI_LENGTH, RpcError, rpcCodes } from '../wire/index.js';
import {
  foreignCwdText,
  foreignUriText,
  longUriText,
  notUtf8UriText,
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

/** Of a path as the system has it; undefined when it is no UTF-8, for then no URI that we take leads to it. */
export const uriFromBytes = (path: Buffer): string | undefined =>
  isUtf8(path) ? uriFromPath(path.toString()) : undefined;

function decode(uri: string, rules: PathRules, foreignCode: number, words: (reason: string) => string): string {
  if (uri.length > MAX_PATH_URI_LENGTH) throw invalid(longUriText(MAX_PATH_URI_LENGTH));
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
  const bytes = percentDecoded(path);
  // Another file has U+FFFD in its name, and that is not the one that was meant.
  if (!isUtf8(bytes)) throw invalid(notUtf8UriText);
  const decoded = bytes.toString();
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

/** Broken percent sequences stand for themselves. */
function percentDecoded(path: string): Buffer {
  const bytes = Buffer.from(path, 'utf8');
  if (!path.includes('%')) return bytes;
  const result: number[] = [];
  for (let at = 0; at < bytes.length; at += 1) {
    const code = bytes[at] ?? 0;
    const pair = code === 0x25 ? bytes.toString('latin1', at + 1, at + 3) : '';
    if (/^[0-9a-f]{2}$/i.test(pair)) {
      result.push(Number.parseInt(pair, 16));
      at += 2;
    } else result.push(code);
  }
  return Buffer.from(result);
}

const withoutTrailingSlash = (path: string): string => (path.length > 1 ? path.replace(/[/]+$/, '') || '/' : path);
