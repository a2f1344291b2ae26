import { constants, type Stats } from 'node:fs';
import { chmod, lstat, mkdir, open, readdir, readlink, realpath, stat, symlink } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { CopyParams } from '../wire/index.js';
import { answering, invalidFile, systemError } from './file-error.js';
import { placeOf } from './files.js';
import { copyIntoItselfText, copyKindText, copyNeedsRecursiveText, copySameFileText } from './messages.js';
import { refuseLinks } from './no-follow.js';
import type { PathRules } from './path-uri.js';

/** Files with their modes, links as links, directories with what is in them. Not all or nothing. */
export async function copy(params: CopyParams, rules: PathRules): Promise<object> {
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
      await copyDirectory(source, destination);
    } else if (found.isSymbolicLink()) await symlink(await readlink(source), destination);
    else if (found.isFile()) await copyFile(source, found, destination);
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

async function copyDirectory(source: string, destination: string): Promise<void> {
  await mkdir(destination).catch(async (error: unknown) => {
    if (!(await isDirectory(destination))) throw error;
  });
  for (const entry of await readdir(source, { withFileTypes: true })) {
    const from = join(source, entry.name);
    const to = join(destination, entry.name);
    if (entry.isDirectory()) await copyDirectory(from, to);
    else if (entry.isSymbolicLink()) await symlink(await readlink(from), to);
    else if (entry.isFile()) await copyFile(from, await lstat(from), to);
    // What is no file, directory or link is left out.
  }
}

async function isDirectory(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found?.isDirectory() === true;
}

async function copyFile(source: string, found: Stats, destination: string): Promise<void> {
  const there = await stat(destination).catch(() => undefined);
  // Opened for writing it would be empty before its first byte was read.
  if (there !== undefined && there.dev === found.dev && there.ino === found.ino) throw invalidFile(copySameFileText);
  if (there?.isDirectory() === true) throw systemError('EISDIR');
  const from = await open(source, constants.O_RDONLY);
  try {
    const to = await open(destination, 'w', found.mode & 0o777);
    await pipeline(from.createReadStream({ autoClose: false }), to.createWriteStream());
  } finally {
    await from.close();
  }
  await chmod(destination, found.mode & 0o7777);
}
