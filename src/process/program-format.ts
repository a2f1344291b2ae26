import { accessSync, closeSync, constants, openSync, readdirSync, readSync, statSync } from 'node:fs';

const headBytes = 256;

// ELF; Mach-O of 32 and 64 bits in both byte orders; fat Mach-O of 32 and 64 bits.
const binaryMagic = new Set([0x7f454c46, 0xfeedface, 0xfeedfacf, 0xcefaedfe, 0xcffaedfe, 0xcafebabe, 0xcafebabf]);

// A `#!` with nothing behind it is no better than no `#!`.
const namesInterpreter = /^#![ \t]*[^\s]/;

export type ProgramFormat = 'known' | 'unknown' | 'empty';

/**
 * Whether the system can run an executable file. Asked before spawn, because libuv hands a file that the kernel refuses
 * to `/bin/sh`: a text without `#!` would run as a script, and an empty file would "succeed".
 * What can not be looked at counts as known: spawn will say what is wrong.
 */
export function programFormat(file: string): ProgramFormat {
  const head = readHead(file);
  if (head === undefined) return 'known';
  if (head.length === 0) return 'empty';
  if (namesInterpreter.test(head.toString('latin1'))) return 'known';
  if (head.length >= 4 && binaryMagic.has(head.readUInt32BE(0))) return 'known';
  return head.includes(0) && hasForeignFormats() ? 'known' : 'unknown';
}

/** The interpreter in the `#!` line of a script, and whether that line ends in CR LF. */
export function shebang(file: string): { interpreter: string; carriageReturn: boolean } | undefined {
  const head = readHead(file)?.toString('utf8');
  const line = head?.startsWith('#!') === true ? head.slice(2).split('\n', 1)[0] : undefined;
  if (line === undefined) return undefined;
  return { interpreter: line.trim().split(/[ \t]/, 1)[0] ?? '', carriageReturn: line.endsWith('\r') };
}

/** The first bytes of a regular, executable file. Anything else is not opened: a FIFO would block us for ever. */
function readHead(file: string): Buffer | undefined {
  let descriptor: number | undefined;
  try {
    if (!statSync(file).isFile()) return undefined;
    accessSync(file, constants.X_OK);
    descriptor = openSync(file, 'r');
    const head = Buffer.alloc(headBytes);
    return head.subarray(0, readSync(descriptor, head, 0, headBytes, 0));
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** Linux can be taught further binaries, such as those of Windows (WSL) or of another processor (qemu). */
function hasForeignFormats(): boolean {
  try {
    return readdirSync('/proc/sys/fs/binfmt_misc').some((name) => name !== 'register' && name !== 'status');
  } catch {
    return false;
  }
}
