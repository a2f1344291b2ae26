import { type FileHandle, lstat, mkdir, readdir, readlink, realpath, stat, symlink } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { type CopyParams, MAX_UNSIZED_COPY_BYTES } from '../wire/index.js';
import { answering, invalidFile, systemError } from './file-error.js';
import { type Progress, placeOf } from './files.js';
import { copyIntoItselfText, copyKindText, copyNeedsRecursiveText, copySameFileText } from './messages.js';
import { refuseLinks } from './no-follow.js';
import { openToRead, openToWrite } from './open-file.js';
import type { PathRules } from './path-uri.js';

type Path = string | Buffer;

const COPY_BLOCK_BYTES = 262_144;

/** Files with their modes, links as links, directories with what is in them. Not all or nothing. */
export async function copy(params: CopyParams, rules: PathRules, progress: Progress): Promise<object> {
  const source = placeOf(params.sourcePath, params, rules);
  const destination = placeOf(params.destinationPath, params, rules);
  return await answering(async () => {
    if (params.followSymlinks === false) {
      await refuseLinks(source, 'system');
      await refuseLinks(destination, 'system');
    }
    const found = await lstat(source);
    if (found.isDirectory()) {
      if (!params.recursive) throw invalidFile(copyNeedsRecursiveText);
      await refuseCopyIntoItself(source, destination);
      await copyDirectory(Buffer.from(source), Buffer.from(destination), progress);
    } else if (found.isSymbolicLink()) await copyLink(source, destination);
    else if (found.isFile()) await copyFile(source, destination, progress);
    else throw invalidFile(copyKindText);
    return {};
  });
}

/** Also where a link leads back into the source. */
async function refuseCopyIntoItself(source: string, destination: string): Promise<void> {
  const from = await realpath(source);
  const to = await realOf(destination);
  if (to === from || to.startsWith(from.endsWith(sep) ? from : from + sep)) throw invalidFile(copyIntoItselfText);
}

/** Of a path whose end may not exist yet. */
async function realOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(await realOf(parent), basename(path));
  }
}

/** Paths as bytes: a name need not be text. */
async function copyDirectory(source: Buffer, destination: Buffer, progress: Progress): Promise<void> {
  await mkdir(destination).catch(async (error: unknown) => {
    if (!(await isDirectory(destination))) throw error;
  });
  for (const name of await readdir(source, { encoding: 'buffer' })) {
    const from = within(source, name);
    const to = within(destination, name);
    const found = await lstat(from);
    progress.moved();
    if (found.isDirectory()) await copyDirectory(from, to, progress);
    else if (found.isSymbolicLink()) await copyLink(from, to);
    else if (found.isFile()) await copyFile(from, to, progress);
    // What is no file, directory or link is left out.
  }
}

async function isDirectory(path: Path): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found?.isDirectory() === true;
}

const within = (folder: Buffer, name: Buffer): Buffer => Buffer.concat([folder, Buffer.from(sep), name]);

async function copyLink(source: Path, destination: Path): Promise<void> {
  await symlink(await readlink(source, { encoding: 'buffer' }), destination);
}

async function copyFile(source: Path, destination: Path, progress: Progress): Promise<void> {
  const from = await openToRead(source);
  try {
    const there = await stat(destination).catch(() => undefined);
    // Opened for writing it would be empty before its first byte was read.
    if (there !== undefined && there.dev === from.found.dev && there.ino === from.found.ino) {
      throw invalidFile(copySameFileText);
    }
    const { mode, size } = from.found;
    const to = await openToWrite(destination, { devices: true, mode: mode & 0o777 });
    try {
      await copyBytes(from.file, size, to.file, progress);
      // A device is not ours to change.
      if (to.found.isFile()) await to.file.chmod(mode & 0o7777);
    } finally {
      await to.file.close();
    }
  } finally {
    await from.file.close();
  }
}

/** What was there at first: a file that somebody writes to may have no end. Those of /proc say that they are empty. */
async function copyBytes(from: FileHandle, size: number, to: FileHandle, progress: Progress): Promise<void> {
  const most = size > 0 ? size : MAX_UNSIZED_COPY_BYTES;
  const block = Buffer.allocUnsafe(Math.min(COPY_BLOCK_BYTES, most));
  for (let copied = 0; copied < most; ) {
    const { bytesRead } = await from.read(block, 0, Math.min(block.length, most - copied), null);
    if (bytesRead === 0) return;
    for (let at = 0; at < bytesRead; ) at += (await to.write(block, at, bytesRead - at, null)).bytesWritten;
    copied += bytesRead;
    progress.moved();
  }
  if (size === 0) throw systemError('EFBIG');
}
