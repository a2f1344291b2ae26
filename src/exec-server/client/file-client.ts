import { dataWords, isData, needArgument } from '../../names/argument.js';
import { checkOptionNames, type OptionNames } from '../../names/option-names.js';
import type { CallOptions } from '../connection/pending-calls.js';
import { fromBase64, toBase64 } from '../wire/base64.js';
import type { WalkOptions } from '../wire/file-params.js';
import {
  canonicalizeResult,
  type DirectoryEntry,
  emptyResult,
  type FileMetadata,
  fileMetadata,
  openResult,
  readDirectoryResult,
  readFileResult,
  type WalkResult,
  walkResult,
} from '../wire/file-results.js';
import type { Guard } from '../wire/guard.js';
import { checkCallOptions } from './call-options.js';
import { resultOf } from './decode.js';
import { toFileUri } from './path-uri.js';
import { RemoteFile } from './remote-file.js';
import type { Session } from './session.js';

/**
 * Of every file call. `signal` and `timeoutMs` (milliseconds) end the waiting, not the work of the server, and reject with
 * `cancelled` and `operation-timeout`.
 */
export interface FileOptions extends CallOptions {
  /** False: a link anywhere in the path is refused. Default: links are followed. */
  readonly followSymlinks?: boolean | undefined;
}

/** What calls take beside a signal and a time, where it is not only whether links are followed. */
const known: Readonly<Record<string, Readonly<Record<string, true>>>> = {
  'fs/createDirectory': { followSymlinks: true, recursive: true },
  'fs/remove': { followSymlinks: true, recursive: true, force: true },
  'fs/readDirectory': {},
  'fs/copy': { recursive: true },
  'fs/canonicalize': {},
  'fs/walk': {},
};
const knownOfWalk: OptionNames<WalkOptions> = {
  maxDepth: true,
  maxDirectories: true,
  maxEntries: true,
  followDirectorySymlinks: true,
};

/**
 * Files where the server runs. Paths are absolute, or file URIs of at most 32,768 characters. What the server refuses
 * rejects with `operation-failed`, whose `data` has its `code` (-32004: nothing is there; -32600: not allowed, or not as it
 * must be; -32603: the system said no) and, where the system said why, `data.errno`, as `EEXIST`. A connection that ends
 * rejects with `connection-lost` or `connection-closed`, an answer of another shape with `protocol-error`.
 */
export class FileClient {
  readonly #session: Session;
  #handles = 0;

  /** @internal */
  constructor(session: Session) {
    this.#session = session;
  }

  /** The whole of a regular file: at most 401,996,928 bytes. For larger ones see `open`. */
  async readFile(path: string, options: FileOptions = {}): Promise<Buffer> {
    const { dataBase64 } = await this.#call('fs/readFile', { path: toFileUri(path) }, readFileResult, options);
    return fromBase64(dataBase64);
  }

  /**
   * Makes the file, or replaces what is in it; not at once, so who reads meanwhile may see a part. A string becomes UTF-8. A
   * message may have 64 MiB, so about 50,000,000 bytes of data at most (`frame-too-large`); for more see `open`.
   */
  async writeFile(path: string, data: string | Uint8Array, options: FileOptions = {}): Promise<void> {
    needArgument('writeFile', 'data', data, isData, dataWords);
    const dataBase64 = toBase64(typeof data === 'string' ? Buffer.from(data) : data);
    await this.#call('fs/writeFile', { path: toFileUri(path), dataBase64 }, emptyResult, options);
  }

  /** With its parents, unless `recursive` is false. */
  async createDirectory(path: string, options: FileOptions & { readonly recursive?: boolean } = {}): Promise<void> {
    await this.#call('fs/createDirectory', withFlags(path, options, 'recursive'), emptyResult, options);
  }

  /** Of the target, where the path is a link. `size` is in bytes, times are milliseconds since 1970 (0: unknown). */
  async getMetadata(path: string, options: FileOptions = {}): Promise<FileMetadata> {
    return await this.#call('fs/getMetadata', { path: toFileUri(path) }, fileMetadata, options);
  }

  /**
   * In the order of the file system; at most 2,097,151 entries. Links that lead nowhere are left out. A name that is not
   * UTF-8 has U+FFFD in it, and leads to nothing.
   */
  async readDirectory(path: string, options: CallOptions = {}): Promise<readonly DirectoryEntry[]> {
    const result = await this.#call('fs/readDirectory', { path: toFileUri(path) }, readDirectoryResult, options);
    return result.entries;
  }

  /** With everything in it, and silently where there is nothing, unless the options say otherwise. */
  async remove(
    path: string,
    options: FileOptions & { readonly recursive?: boolean; readonly force?: boolean } = {},
  ): Promise<void> {
    await this.#call('fs/remove', withFlags(path, options, 'recursive', 'force'), emptyResult, options);
  }

  /** Files with their modes, links as links, folders (with `recursive`) with what is in them. Not all or nothing. */
  async copy(
    source: string,
    destination: string,
    options: CallOptions & { readonly recursive?: boolean } = {},
  ): Promise<void> {
    const params = {
      sourcePath: toFileUri(source),
      destinationPath: toFileUri(destination),
      recursive: options.recursive ?? false,
    };
    await this.#call('fs/copy', params, emptyResult, options);
  }

  /** The real path, behind all links, as a file URI. */
  async canonicalize(path: string, options: CallOptions = {}): Promise<string> {
    const result = await this.#call('fs/canonicalize', { path: toFileUri(path) }, canonicalizeResult, options);
    return result.path;
  }

  /**
   * Everything below a directory, level by level. `maxDepth` at most 64 (0: only what is directly in it), `maxDirectories`
   * 10,000, `maxEntries` 50,000; `truncated` says that there was more.
   */
  async walk(path: string, walk: WalkOptions, options: CallOptions = {}): Promise<WalkResult> {
    checkOptionNames('walk', walk, knownOfWalk);
    const result = await this.#call('fs/walk', { path: toFileUri(path), options: walk }, walkResult, options);
    return { ...result, errors: result.errors ?? [] };
  }

  /**
   * For regular files in pieces. `replace` makes the file or empties it. At most 128 are open on a connection. A handle ends with the connection, also when the
   * session is resumed.
   */
  async open(path: string, mode: 'read' | 'replace' = 'read', options: FileOptions = {}): Promise<RemoteFile> {
    const handleId = `h${++this.#handles}`;
    await this.#call('fs/open', { handleId, path: toFileUri(path), mode }, openResult, options);
    return new RemoteFile(this.#session, handleId);
  }

  async #call<T>(method: string, params: object, guard: Guard<T>, options: FileOptions): Promise<T> {
    checkCallOptions(method.slice('fs/'.length), options, known[method] ?? { followSymlinks: true });
    const { followSymlinks } = options;
    const all = followSymlinks === undefined ? params : { ...params, followSymlinks };
    return resultOf(method, guard, await this.#session.call(method, all, options));
  }
}

function withFlags<N extends string>(path: string, options: { readonly [name in N]?: boolean }, ...names: N[]): object {
  const flags = names.filter((name) => options[name] !== undefined).map((name) => [name, options[name]]);
  return { path: toFileUri(path), ...Object.fromEntries(flags) };
}
