import { absentOrNull, anything, flag, listOf, struct, text, u64, word } from './guard.js';

// Results of `fs/*`, as a client reads them.

export interface ReadFileResult {
  readonly dataBase64: string;
}

export const readFileResult = struct('ReadFileResult', { dataBase64: text });

export interface FileMetadata {
  /** Of the target, where the path is a link. */
  readonly isDirectory: boolean;
  readonly isFile: boolean;
  /** Of the path itself. Absent in the first generation, as `size`. */
  readonly isSymlink?: boolean;
  /** In bytes. */
  readonly size?: number;
  /** Milliseconds since 1970; 0 when unknown. */
  readonly createdAtMs?: number;
  readonly modifiedAtMs?: number;
}

export const fileMetadata = struct(
  'FileMetadata',
  { isDirectory: flag, isFile: flag },
  { isSymlink: flag, size: u64, createdAtMs: anyNumber, modifiedAtMs: anyNumber },
);

/** A file may be older than 1970. */
function anyNumber(value: unknown, path: string): number {
  return typeof value === 'number' ? value : u64(value, path);
}

/** Of the target, where the entry is a link. */
export interface DirectoryEntry {
  readonly fileName: string;
  readonly isDirectory?: boolean;
  readonly isFile?: boolean;
}

export const readDirectoryResult = struct('ReadDirectoryResult', {
  entries: listOf(struct('DirectoryEntry', { fileName: text }, { isDirectory: flag, isFile: flag })),
});

export const canonicalizeResult = struct('CanonicalizeResult', { path: text });
export const openResult = struct('OpenResult', { handleId: text });

export interface ReadBlockResult {
  /** Base64. */
  readonly chunk: string;
  /** Fewer bytes came than were asked for. */
  readonly eof: boolean;
}

export const readBlockResult = struct('ReadBlockResult', { chunk: text, eof: flag });

export interface WalkEntry {
  /** A file URI. */
  readonly path: string;
  readonly kind: 'file' | 'directory';
}

export interface WalkResult {
  /** Level by level, by the bytes of their names within a directory. */
  readonly entries: readonly WalkEntry[];
  /** Directories that could not be listed, and names that cannot be told: `{ path, message }` from servers of this package. */
  readonly errors: readonly unknown[];
  /** There was more than the options allow. */
  readonly truncated: boolean;
}

export const walkResult = struct(
  'WalkResult',
  { entries: listOf(struct('WalkEntry', { path: text, kind: word('file', 'directory') })), truncated: flag },
  { errors: absentOrNull(listOf(anything)) },
);

/** Of methods which have nothing to say. */
export const emptyResult = struct('EmptyResult', {});
