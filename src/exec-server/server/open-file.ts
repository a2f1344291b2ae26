import { constants, type Stats } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { invalidFile } from './file-error.js';
import { notFileText } from './messages.js';

/** Nothing waits: not for the other end of a FIFO, and not for what the log of the kernel has to say. */
const nonBlocking = process.platform === 'win32' ? 0 : constants.O_NONBLOCK | constants.O_NOCTTY;

export interface OpenFile {
  readonly file: FileHandle;
  readonly found: Stats;
}

/** A regular file that is there. */
export async function regularFile(path: string | Buffer): Promise<Stats> {
  const found = await stat(path);
  if (!found.isFile()) throw invalidFile(notFileText(String(path)));
  return found;
}

/** Regular files only. The caller closes it. */
export async function openToRead(path: string | Buffer): Promise<OpenFile> {
  // Before it is opened: to open a device can be enough to change something.
  await regularFile(path);
  return await opened(path, constants.O_RDONLY, undefined, (found) => found.isFile());
}

export interface WriteOptions {
  /** Also what looks like a file and keeps nothing, as /dev/null: a character device. */
  readonly devices: boolean;
  /** Of a file that is made. Default: 0666, less what the umask takes. */
  readonly mode?: number;
}

/** Made, or emptied. Regular files, and devices where they are wanted. The caller closes it. */
export async function openToWrite(path: string | Buffer, { devices, mode }: WriteOptions): Promise<OpenFile> {
  const fits = (found: Stats): boolean => found.isFile() || (devices && found.isCharacterDevice());
  const there = await stat(path).catch(() => undefined);
  // The system has its own words for a directory.
  if (there !== undefined && !fits(there) && !there.isDirectory()) throw invalidFile(notFileText(String(path)));
  return await opened(path, constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC, mode, fits);
}

/** Looks once more, at what was opened: the path may lead to something else by then. */
async function opened(
  path: string | Buffer,
  flags: number,
  mode: number | undefined,
  fits: (found: Stats) => boolean,
): Promise<OpenFile> {
  const file = await open(path, flags | nonBlocking, mode);
  try {
    const found = await file.stat();
    if (!fits(found)) throw invalidFile(notFileText(String(path)));
    return { file, found };
  } catch (error) {
    await file.close();
    throw error;
  }
}
