import type { Dirent } from 'node:fs';
import { lstat, readdir, rmdir, unlink } from 'node:fs/promises';
import { parse, sep } from 'node:path';
import { type RemoveParams, RpcError, rpcCodes } from '../wire/index.js';
import { answering, invalidFile } from './file-error.js';
import { followsLinks, type Progress, placeOf } from './files.js';
import { noFollowRemovalText, removeRootText } from './messages.js';
import { refuseLinks } from './no-follow.js';
import type { PathRules } from './path-uri.js';

/** Files of one folder that are removed side by side. */
const AT_ONCE = 64;

/** A file, a link itself, or a folder with what is in it. Not all or nothing. */
export async function remove(params: RemoveParams, rules: PathRules, progress: Progress): Promise<object> {
  const path = placeOf(params.path, params, rules);
  if (path === parse(path).root) throw invalidFile(removeRootText);
  const { recursive, force } = { recursive: params.recursive ?? true, force: params.force ?? true };
  if (!followsLinks(params) && recursive) throw new RpcError(rpcCodes.internal, noFollowRemovalText);
  return await answering(async () => {
    if (!followsLinks(params)) await refuseLinks(path, 'system');
    try {
      if (!(await lstat(path)).isDirectory()) await unlink(path);
      else if (recursive) await removeFolder(Buffer.from(path), progress);
      else await rmdir(path);
    } catch (error) {
      if (!(force && isMissing(error))) throw error;
    }
    return {};
  });
}

/** Paths as bytes: a name need not be text. */
async function removeFolder(folder: Buffer, progress: Progress): Promise<void> {
  const found = await contentsOf(folder);
  progress.moved();
  if (found === undefined) return;
  const within = (name: Buffer): Buffer => Buffer.concat([folder, Buffer.from(sep), name]);
  const others: Buffer[] = [];
  for (const entry of found) {
    const path = within(entry.name);
    if (entry.isDirectory()) await unlessMissing(removeListedFolder(path, progress));
    else others.push(path);
  }
  for (let at = 0; at < others.length; at += AT_ONCE) {
    const removals = await Promise.allSettled(
      others.slice(at, at + AT_ONCE).map((path) => unlessMissing(unlink(path))),
    );
    progress.moved();
    // Once none is under way: after the answer nothing is removed any more.
    for (const removal of removals) if (removal.status === 'rejected') throw removal.reason;
  }
  await rmdir(folder);
}

/** Undefined when the folder is gone: it need not be read if there is nothing in it. */
async function contentsOf(folder: Buffer): Promise<Dirent<Buffer>[] | undefined> {
  try {
    return await readdir(folder, { encoding: 'buffer', withFileTypes: true });
  } catch (error) {
    if (!hasCode(error, 'EACCES')) throw error;
    // What was wrong first is told, if it can not be removed either.
    await rmdir(folder).catch(() => Promise.reject(error));
    return undefined;
  }
}

/** Much may have happened since it was listed, and a link that is there now must not be followed. */
async function removeListedFolder(path: Buffer, progress: Progress): Promise<void> {
  if ((await lstat(path)).isDirectory()) await removeFolder(path, progress);
  else await unlink(path);
}

/** Somebody else was quicker. */
async function unlessMissing(removal: Promise<void>): Promise<void> {
  try {
    await removal;
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;
const isMissing = (error: unknown): boolean => hasCode(error, 'ENOENT');
