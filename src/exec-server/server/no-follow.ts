import { lstat } from 'node:fs/promises';
import { dirname, parse } from 'node:path';
import { invalidFile, systemError } from './file-error.js';
import { linkInPathText } from './messages.js';

/** Refuses a path with a link in it: ELOOP for its last part, ENOTDIR for one on the way. */
export async function refuseLinks(path: string, how: 'system' | 'words'): Promise<void> {
  const { root } = parse(path);
  const links: string[] = [];
  for (let at = path; at !== root; at = dirname(at)) {
    if (await isLink(at)) links.push(at);
  }
  if (links.length === 0) return;
  if (how === 'words') throw invalidFile(linkInPathText);
  throw systemError(links.some((link) => link !== path) ? 'ENOTDIR' : 'ELOOP');
}

async function isLink(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isSymbolicLink();
  } catch {
    return false;
  }
}
