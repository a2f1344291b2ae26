import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Makes a folder and those above it that are missing, one by one: Node's own way tries for ever where a folder is there and
 * nothing can be made in it, as in /proc. Throws what the system says about the first that cannot be made.
 */
export async function makeDirectories(path: string): Promise<void> {
  const missing: string[] = [];
  for (let at = path; !(await made(at)); at = dirname(at)) missing.push(at);
  for (const at of missing.reverse()) await made(at, true);
}

/** False when the folder above is not there; whatever else is wrong, and that too when it must be there, is thrown. */
async function made(path: string, mustBe = false): Promise<boolean> {
  try {
    await mkdir(path);
    return true;
  } catch (error) {
    const orphan = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (orphan && !mustBe && dirname(path) !== path) return false;
    const found = await stat(path).catch(() => undefined);
    if (found?.isDirectory() === true) return true;
    throw error;
  }
}
