import { absentOrNull, anything, flag, struct, text, u64, word } from './guard.js';

// Params of `fs/*`, as a server reads them. Paths are file URIs.

/** Members that most file methods share. `sandbox` is refused by a server without one, unless absent, null or disabled. */
const place = { sandbox: anything, followSymlinks: flag };

export interface FilePlace {
  readonly sandbox?: unknown;
  readonly followSymlinks?: boolean;
}

export interface PathParams extends FilePlace {
  readonly path: string;
}

export const readFileParams = struct('ReadFileParams', { path: text }, place);
export const getMetadataParams = struct('GetMetadataParams', { path: text }, place);
export const readDirectoryParams = struct('ReadDirectoryParams', { path: text }, place);
export const canonicalizeParams = struct('CanonicalizeParams', { path: text }, place);

export interface WriteFileParams extends PathParams {
  readonly dataBase64: string;
}

export const writeFileParams = struct('WriteFileParams', { path: text, dataBase64: text }, place);

export interface CreateDirectoryParams extends PathParams {
  /** Absent or null: true. */
  readonly recursive?: boolean | null;
}

export const createDirectoryParams = struct(
  'CreateDirectoryParams',
  { path: text },
  { ...place, recursive: absentOrNull(flag) },
);

export interface RemoveParams extends PathParams {
  /** Absent or null: true. */
  readonly recursive?: boolean | null;
  /** Absent or null: true. */
  readonly force?: boolean | null;
}

export const removeParams = struct(
  'RemoveParams',
  { path: text },
  { ...place, recursive: absentOrNull(flag), force: absentOrNull(flag) },
);

export interface CopyParams extends FilePlace {
  readonly sourcePath: string;
  readonly destinationPath: string;
  readonly recursive: boolean;
}

export const copyParams = struct('CopyParams', { sourcePath: text, destinationPath: text, recursive: flag }, place);

export interface OpenParams extends PathParams {
  readonly handleId: string;
  readonly mode?: 'read' | 'replace';
}

export const openParams = struct(
  'OpenParams',
  { handleId: text, path: text },
  { ...place, mode: word('read', 'replace') },
);

export interface ReadBlockParams {
  readonly handleId: string;
  readonly offset: number;
  readonly len: number;
}

export const readBlockParams = struct('ReadBlockParams', { handleId: text, offset: u64, len: u64 });

export interface WriteBlockParams {
  readonly handleId: string;
  readonly offset: number;
  /** Base64. */
  readonly chunk: string;
}

export const writeBlockParams = struct('WriteBlockParams', { handleId: text, offset: u64, chunk: text });

export interface CloseParams {
  readonly handleId: string;
}

export const closeParams = struct('CloseParams', { handleId: text });

/** Above the maximums a walk is refused; what is beyond `maxDirectories` and `maxEntries` is told by `truncated`. */
export interface WalkOptions {
  /** Directories in directories, from 0 (only what is directly in the first) to 64. What is deeper is not told. */
  readonly maxDepth: number;
  /** How many are listed, the first included: from 1 to 10,000. */
  readonly maxDirectories: number;
  /** From 1 to 50,000. */
  readonly maxEntries: number;
  /** Whether links to directories are told and followed, each directory once. Other links are never told. */
  readonly followDirectorySymlinks: boolean;
}

export interface WalkParams extends FilePlace {
  readonly path: string;
  readonly options: WalkOptions;
}

const walkOptions = struct('WalkOptions', {
  maxDepth: u64,
  maxDirectories: u64,
  maxEntries: u64,
  followDirectorySymlinks: flag,
});

export const walkParams = struct(
  'WalkParams',
  { path: text, options: walkOptions },
  { sandbox: absentOrNull(anything) },
);

/** Of methods without parameters: an object, null or nothing. */
export const noParams = absentOrNull(struct('EmptyParams', {}));
