import { type FileHandle, lstat, mkdir, opendir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { makeDirectories } from '../../process/make-directory.js';
import type { RequestContext } from '../connection/index.js';
import {
  base64Length,
  type CreateDirectoryParams,
  type DirectoryEntry,
  EncodedResult,
  type FileMetadata,
  type FilePlace,
  MAX_FILE_READ_BYTES,
  type PathParams,
  type ReadFileResult,
  toBase64,
  type WriteFileParams,
} from '../wire/index.js';
import { answering, invalidFile } from './file-error.js';
import { bytesOfBase64 } from './given-bytes.js';
import { largeDirectoryText, largeFileText, notUtf8PathText, writeFileBase64Text } from './messages.js';
import { refuseLinks } from './no-follow.js';
import { openToRead, openToWrite, regularFile } from './open-file.js';
import { type PathRules, pathFromUri, uriFromBytes } from './path-uri.js';
import { refuseSandbox } from './sandbox.js';

/** A multiple of three, so that the base64 of blocks is the base64 of all. */
const READ_BLOCK_BYTES = 786_432;
/** A directory has some twenty bytes for a short name, or the name and a few more; its line in an answer has eighty. */
const LISTING_FACTOR = 4;
const LISTED_AT_ONCE = 256;
/** JSON values of one entry in an answer, and of what is around all. */
const ENTRY_VALUES = 4;
const ENVELOPE_VALUES = 4;

/** The path, once everything else about a request's place has been looked at. */
export function placeOf(uri: string, place: FilePlace, rules: PathRules): string {
  refuseSandbox(place.sandbox);
  return pathFromUri(uri, rules);
}

export const followsLinks = ({ followSymlinks }: FilePlace): boolean => followSymlinks !== false;

/** Waits until an answer of about so many bytes may be made, see `RequestContext`. */
export type Reserve = RequestContext['reserve'];

/** What an answer may have, how to wait until it may be made, and who hears that it goes on: see `RequestContext`. */
export type Room = Pick<RequestContext, 'reserve' | 'limits' | 'moved'>;

/** For work without an answer of any size. */
export type Progress = Pick<RequestContext, 'moved'>;

/** Around the base64 of a file. */
const ENVELOPE_BYTES = 4_096;

/** The largest file whose answer the client takes. */
const readLimit = ({ limits }: Room): number =>
  Math.min(MAX_FILE_READ_BYTES, Math.max(0, Math.floor((limits.bytes - ENVELOPE_BYTES) / 4) * 3));

export async function readFile(
  params: PathParams,
  rules: PathRules,
  room: Room,
): Promise<ReadFileResult | EncodedResult> {
  const path = placeOf(params.path, params, rules);
  return await answering(async () => {
    if (!followsLinks(params)) await refuseLinks(path, 'system');
    const { size } = await regularFile(path);
    const limit = readLimit(room);
    if (size > limit) throw invalidFile(largeFileText(limit));
    await room.reserve(base64Length(size));
    const { file } = await openToRead(path);
    try {
      return await readAll(file, size, limit, room);
    } finally {
      await file.close();
    }
  });
}

/**
 * Block by block, as a large file is never whole in memory but as what is sent. The size is only what was said beforehand:
 * files grow, and those of /proc say 0.
 */
async function readAll(
  file: FileHandle,
  size: number,
  limit: number,
  { moved }: Progress,
): Promise<ReadFileResult | EncodedResult> {
  let block = Buffer.allocUnsafe(Math.min(READ_BLOCK_BYTES, Math.max(4_095, roundUp(size + 1))));
  const parts = [Buffer.from('{"dataBase64":"')];
  let total = 0;
  for (;;) {
    const length = await fill(file, block);
    total += length;
    moved();
    if (total > limit) throw invalidFile(largeFileText(limit));
    const text = toBase64(block.subarray(0, length));
    if (length < block.length && parts.length === 1) return { dataBase64: text };
    parts.push(Buffer.from(text, 'latin1'));
    if (length < block.length) return new EncodedResult([...parts, Buffer.from('"}')]);
    if (block.length < READ_BLOCK_BYTES) block = Buffer.allocUnsafe(READ_BLOCK_BYTES);
  }
}

const roundUp = (bytes: number): number => Math.ceil(bytes / 3) * 3;

/** Less than there is room for only at the end. */
async function fill(file: FileHandle, block: Buffer): Promise<number> {
  let length = 0;
  while (length < block.length) {
    const { bytesRead } = await file.read(block, length, block.length - length, null);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return length;
}

export async function writeFile(params: WriteFileParams, rules: PathRules): Promise<object> {
  const path = placeOf(params.path, params, rules);
  const bytes = bytesOfBase64(params.dataBase64, (why) => invalidFile(writeFileBase64Text(why)));
  return await answering(async () => {
    if (!followsLinks(params)) await refuseLinks(path, 'system');
    const { file } = await openToWrite(path, { devices: true });
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
    if (params.recursive ?? true) await makeDirectories(path);
    else await mkdir(path);
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
  room: Room,
): Promise<{ entries: readonly DirectoryEntry[] }> {
  const path = placeOf(params.path, params, rules);
  return await answering(async () => {
    if (!followsLinks(params)) await refuseLinks(path, 'system');
    await room.reserve(LISTING_FACTOR * (await stat(path)).size);
    const most = Math.floor((room.limits.values - ENVELOPE_VALUES) / ENTRY_VALUES);
    const entries: DirectoryEntry[] = [];
    // Closed by the loop, however that ends.
    for await (const entry of await opendir(path, { bufferSize: LISTED_AT_ONCE })) {
      if (entries.length >= most) throw invalidFile(largeDirectoryText(most));
      room.moved();
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

export async function canonicalize(params: PathParams, rules: PathRules): Promise<{ path: string }> {
  const path = placeOf(params.path, params, rules);
  return await answering(async () => {
    const uri = uriFromBytes(await realpath(path, { encoding: 'buffer' }));
    if (uri === undefined) throw invalidFile(notUtf8PathText);
    return { path: uri };
  });
}
