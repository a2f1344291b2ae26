import type { Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { devNull } from 'node:os';
import { resolve } from 'node:path';
import { isatty } from 'node:tty';
import { CodemodeError } from '../errors.js';
import { notRegularText, pipedModuleText, unusableFileText } from './messages.js';

/** What a shell makes of `<(…)`, and other names of what is open already. */
const DESCRIPTOR = /^\/(?:dev\/std(in)|dev\/fd\/(\d{1,9})|proc\/(?:self|\d+)\/fd\/(\d{1,9}))$/;

/**
 * Whether a file can be read to its end. To be asked before it is opened: a pipe that nobody writes to would hold a thread
 * for ever, and a device may have no end. Of what is not there or cannot be looked at, opening says more.
 */
export async function isReadable(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined || found.isFile() || found.isDirectory()) return true;
  if (found.isCharacterDevice() && (await isEmpty(found))) return true;
  const descriptor = DESCRIPTOR.exec(path);
  if (descriptor === null) return false;
  const [, stdin, fd, other] = descriptor;
  return !found.isCharacterDevice() || isatty(Number(stdin === undefined ? (fd ?? other) : 0));
}

/** The one device that is known to end, under whatever name. */
async function isEmpty({ rdev }: Stats): Promise<boolean> {
  const empty = await stat(devNull).catch(() => undefined);
  return empty?.rdev === rdev;
}

/** What reading such a file is answered with; how `fileProblem` words it. */
export const notRegular = (): Error => Object.assign(new Error(notRegularText), { code: 'ENOTREG' });

/** Throws `invalid-argument` for the first of the files of an option that cannot be read to its end. */
export async function needReadable(option: string, files: readonly string[], cwd: string): Promise<void> {
  for (const file of files) {
    if (await isReadable(resolve(cwd, file))) continue;
    throw new CodemodeError('invalid-argument', unusableFileText(option, file, notRegularText), { data: { file } });
  }
}

/** The same for modules, which Node opens by the path that a name leads to: what a descriptor leads to may have none. */
export async function needImportable(option: string, files: readonly string[], cwd: string): Promise<void> {
  for (const file of files) {
    const path = resolve(cwd, file);
    const found = await stat(path).catch(() => undefined);
    if (found === undefined || found.isFile() || found.isDirectory()) continue;
    const problem = DESCRIPTOR.test(path) ? pipedModuleText : notRegularText;
    throw new CodemodeError('invalid-argument', unusableFileText(option, file, problem), { data: { file } });
  }
}
