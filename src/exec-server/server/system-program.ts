import { locateProgram } from '../../process/program.js';

/** Where programs of the system are, whatever our own PATH and those of children say. */
const systemPath = '/usr/bin:/bin:/usr/local/bin';

/** The file of a program that we need ourselves; undefined where there is none. */
export const systemProgram = (name: string, path = systemPath): string | undefined =>
  locateProgram(name, '/', path).file;
