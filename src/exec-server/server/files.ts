import { constants } from 'node:fs';
import { lstat, mkdir, open, readdir, realpath, rm, rmdir, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type CreateDirectoryParams,
  type DirectoryEntry,
  type FileMetadata,
  type FilePlace,
  fromBase64,
  MAX_FILE_READ_BYTES,
  type PathParams,
  type ReadFileResult,
  type RemoveParams,
  RpcError,
  rpcCodes,
  toBase64,
  type WriteFileParams,
} from '../wire/index.js';
import { answering, invalidFile } from './file-error.js';
import { largeFileText, noFollowRemovalText, notFileText, writeFileBase64Text } from './messages.js';
import { refuseLinks } from './no-follow.js';
import { type PathRules, pathFromUri, uriFromPath } from './path-uri.js';
import { refuseSandbox } from './sandbox.js';

const READ_BLOCK_BYTES = 1_048_576;

/** The path, once everything else about a request's place has been looked at. */
export function placeOf(uri: string, place: FilePlace, rules: PathRules): string {
  refuseSandbox(place.sandbox);
  return pathFromUri(uri, rules);
}

const followsLinks = ({ followSymlinks }: FilePlace): boolean => followSymlinks !== false;

export async function readFile(params: PathParams, rules: PathRules): Promise<ReadFileResult> {
  const path = placeOf(params.path, params, rules);
  return await answering(async () => {
    if (!followsLinks(params)) await refuseLinks(path, 'system');
    // Before the file is opened: a FIFO would wait for its writer.
    const { size } = await regularFile(path);
    if (size > MAX_FILE_READ_BYTES) throw invalidFile(largeFileText(MAX_FILE_READ_BYTES));
    const file = await open(path, constants.O_RDONLY | nonBlocking);
    try {
      return { dataBase64: toBase64(await readAll(file, size)) };
    } finally {
      await file.close();
    }
  });
}

const nonBlocking = process.platform === 'win32' ? 0 : constants.O_NONBLOCK;

export async function regularFile(path: string): Promise<{ readonly size: number }> {
  const found = await stat(path);
  if (!found.isFile()) throw invalidFile(notFileText(path));
  return found;
}

/** The size is only what was said beforehand: files grow, and those of /proc say 0. */
async function readAll(file: Awaited<ReturnType<typeof open>>, size: number): Promise<Buffer> {
  const blocks: Buffer[] = [];
  let total = 0;
  for (;;) {
    const block = Buffer.allocUnsafe(Math.min(READ_BLOCK_BYTES, Math.max(4_096, size + 1 - total)));
    const { bytesRead } = await file.read(block, 0, block.length, null);
    if (bytesRead === 0) return Buffer.concat(blocks, total);
    total += bytesRead;
    if (total > MAX_FILE_READ_BYTES) throw invalidFile(largeFileText(MAX_FILE_READ_BYTES));
    blocks.push(block.subarray(0, bytesRead));
  }
}

export async function writeFile(params: WriteFileParams, rules: PathRules): Promise<object> {
  const path = placeOf(params.path, params, rules);
  let bytes: Buffer;
  try {
    bytes = fromBase64(params.dataBase64);
  } catch (error) {
    throw invalidFile(writeFileBase64Text(error instanceof Error ? error.message : String(error)));
  }
  return await answering(async () => {
    if (!followsLinks(params)) await refuseLinks(path, 'system');
    const file = await open(path, 'w');
    try {
      await file.writeFile(bytes);
    } finally {
      await file.close();
    }
    return {};
  });
}

export async function createDirectory(params: CreateDirectoryParams, rules: PathRules): Promise<object> {
  const path = placeOf(params.path, params, rules);
  return await answering(async () => {
    if (!followsLinks(params)) await refuseLinks(path, 'system');
    await mkdir(path, { recursive: params.recursive ?? true });
    return {};
  });
}

export async function getMetadata(params: PathParams, rules: PathRules): Promise<FileMetadata> {
  const path = placeOf(params.path, params, rules);
  return await answering(async () => {
    if (!followsLinks(params)) await refuseLinks(path, 'words');
    const itself = await lstat(path);
    const target = itself.isSymbolicLink() ? await stat(path) : itself;
    return {
      isDirectory: target.isDirectory(),
      isFile: target.isFile(),
      isSymlink: itself.isSymbolicLink(),
      size: target.size,
      createdAtMs: wholeMs(target.birthtimeMs),
      modifiedAtMs: wholeMs(target.mtimeMs),
    };
  });
}

const wholeMs = (ms: number): number => (Number.isFinite(ms) ? Math.floor(ms) : 0);

export async function readDirectory(
  params: PathParams,
  rules: PathRules,
): Promise<{ entries: readonly DirectoryEntry[] }> {
  const path = placeOf(params.path, params, rules);
  return await answering(async () => {
    if (!followsLinks(params)) await refuseLinks(path, 'system');
    const entries: DirectoryEntry[] = [];
    for (const entry of await readdir(path, { withFileTypes: true })) {
      const { name: fileName } = entry;
      if (!entry.isSymbolicLink()) {
        entries.push({ fileName, isDirectory: entry.isDirectory(), isFile: entry.isFile() });
        continue;
      }
      const target = await stat(join(path, fileName)).catch(() => undefined);
      // A link that leads nowhere is left out.
      if (target !== undefined) entries.push({ fileName, isDirectory: target.isDirectory(), isFile: target.isFile() });
    }
    return { entries };
  });
}

export async function remove(params: RemoveParams, rules: PathRules): Promise<object> {
  const path = placeOf(params.path, params, rules);
  const { recursive, force } = { recursive: params.recursive ?? true, force: params.force ?? true };
  if (!followsLinks(params) && recursive) throw new RpcError(rpcCodes.internal, noFollowRemovalText);
  return await answering(async () => {
    if (!followsLinks(params)) await refuseLinks(path, 'system');
    try {
      const { isDirectory } = await kindOf(path);
      if (!isDirectory) await unlink(path);
      else if (recursive) await rm(path, { recursive: true });
      else await rmdir(path);
    } catch (error) {
      if (!(force && isMissing(error))) throw error;
    }
    return {};
  });
}

async function kindOf(path: string): Promise<{ isDirectory: boolean }> {
  return { isDirectory: (await lstat(path)).isDirectory() };
}

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT';

export async function canonicalize(params: PathParams, rules: PathRules): Promise<{ path: string }> {
  const path = placeOf(params.path, params, rules);
  return await answering(async () => ({ path: uriFromPath(await realpath(path)) }));
}
