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
import { resultOf } from './decode.js';
import { toFileUri } from './path-uri.js';
import { RemoteFile } from './remote-file.js';
import type { Session } from './session.js';

export interface FileOptions extends CallOptions {
  /** False: a link anywhere in the path is refused. */
  readonly followSymlinks?: boolean | undefined;
}

/** Files where the server runs. Paths are absolute, or file URIs. */
export class FileClient {
  readonly #session: Session;
  #handles = 0;

  /** @internal */
  constructor(session: Session) {
    this.#session = session;
  }

  async readFile(path: string, options: FileOptions = {}): Promise<Buffer> {
    const { dataBase64 } = await this.#call('fs/readFile', { path: toFileUri(path) }, readFileResult, options);
    return fromBase64(dataBase64);
  }

  /** Makes the file, or replaces what is in it. */
  async writeFile(path: string, data: string | Uint8Array, options: FileOptions = {}): Promise<void> {
    const dataBase64 = toBase64(typeof data === 'string' ? Buffer.from(data) : data);
    await this.#call('fs/writeFile', { path: toFileUri(path), dataBase64 }, emptyResult, options);
  }

  /** With its parents, unless `recursive` is false. */
  async createDirectory(path: string, options: FileOptions & { readonly recursive?: boolean } = {}): Promise<void> {
    await this.#call('fs/createDirectory', withFlags(path, options, 'recursive'), emptyResult, options);
  }

  getMetadata(path: string, options: FileOptions = {}): Promise<FileMetadata> {
    return this.#call('fs/getMetadata', { path: toFileUri(path) }, fileMetadata, options);
  }

  /** In the order of the file system. Links that lead nowhere are left out. */
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

  /** Gives back a file URI. */
  async canonicalize(path: string, options: CallOptions = {}): Promise<string> {
    const result = await this.#call('fs/canonicalize', { path: toFileUri(path) }, canonicalizeResult, options);
    return result.path;
  }

  async walk(path: string, walk: WalkOptions, options: CallOptions = {}): Promise<WalkResult> {
    const result = await this.#call('fs/walk', { path: toFileUri(path), options: walk }, walkResult, options);
    return { ...result, errors: result.errors ?? [] };
  }

  /** For files in pieces. A handle ends with the connection, also when the session is resumed. */
  async open(path: string, mode: 'read' | 'replace' = 'read', options: FileOptions = {}): Promise<RemoteFile> {
    const handleId = `h${++this.#handles}`;
    await this.#call('fs/open', { handleId, path: toFileUri(path), mode }, openResult, options);
    return new RemoteFile(this.#session, handleId);
  }

  async #call<T>(method: string, params: object, guard: Guard<T>, options: FileOptions): Promise<T> {
    const { followSymlinks } = options;
    const all = followSymlinks === undefined ? params : { ...params, followSymlinks };
    return resultOf(method, guard, await this.#session.call(method, all, options));
  }
}

function withFlags<N extends string>(path: string, options: { readonly [name in N]?: boolean }, ...names: N[]): object {
  const flags = names.filter((name) => options[name] !== undefined).map((name) => [name, options[name]]);
  return { path: toFileUri(path), ...Object.fromEntries(flags) };
}
