import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readSync } from 'node:fs';
import { fileLocksIn } from '../../../src/exec-server/server/process-list.js';
import { systemProgram } from '../../../src/exec-server/server/system-program.js';

/** What our kind of program begins with: ELF, 64 bits, the low byte first. */
const IMAGE = '7f454c460201';
/** No mark is above it. */
const HIGH = '9100000000000000000';

export interface Needs {
  readonly skip?: string;
}

/** Programs that the server can look into. */
export const needsElf: Needs = isElf(process.execPath)
  ? {}
  : { skip: 'needs Linux with programs of 64 bits that are little-endian' };

/** Programs that can be started with a limit for a mark. */
export const needsLimits: Needs = needsElf.skip === undefined ? withLimits() : needsElf;

/** Tried out: a container may forbid it, and a hard limit may be lower. */
function withLimits(): Needs {
  const prlimit = systemProgram('prlimit');
  if (prlimit === undefined) return { skip: 'needs prlimit of util-linux' };
  const args = [`--locks=${HIGH}:`, '--', 'cat', '/proc/self/limits'];
  const { stdout, stderr } = spawnSync(prlimit, args, { encoding: 'utf8', timeout: 60_000 });
  if (fileLocksIn(stdout) === HIGH) return {};
  return { skip: `needs a limit of file locks that may be set: ${stderr.trim().split('\n')[0]}` };
}

function isElf(file: string): boolean {
  if (process.platform !== 'linux') return false;
  const bytes = Buffer.alloc(IMAGE.length / 2);
  const descriptor = openSync(file, 'r');
  try {
    readSync(descriptor, bytes);
  } finally {
    closeSync(descriptor);
  }
  return bytes.toString('hex') === IMAGE;
}
