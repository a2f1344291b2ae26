import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * With its parents, one by one: Node's own way tries for ever where a parent is there and nothing can be made in it, as
 * in /proc.
 */
export async function makeDirectories(path: string): Promise<void> {
  const missing: string[] = [];
  for (let at = path; !(await made(at)); at = dirname(at)) missing.push(at);
  for (const at of missing.reverse()) await made(at, true);
}

/** False when its parent is not there; whatever else is wrong with it is thrown. */
async function made(path: string, mustBe = false): Promise<boolean> {
  try {
    await mkdir(path);
    return true;
  } catch (error) {
    const parentMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (parentMissing && !mustBe && dirname(path) !== path) return false;
    if (await isDirectory(path)) return true;
    throw error;
  }
}

export async function isDirectory(path: string | Buffer): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found?.isDirectory() === true;
}
