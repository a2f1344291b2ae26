import { accessSync, closeSync, constants, openSync, readSync, statSync } from 'node:fs';

/** What the system looks at of a script. */
const SCRIPT_HEAD_BYTES = 256;
const HEAD_BYTES = 4_096;
const MAX_PATH_BYTES = 4_096;
/** The system follows some more from script to script. */
const MAX_SCRIPTS = 3;

// Of ELF with 64 bits, the low byte first.
const ELF_MAGIC = Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]);
const MACHINE_AT = 18;
const HEADER_BYTES = 64;
const SEGMENT_BYTES = 56;
const INTERPRETER_SEGMENT = 3;

type FileName = string | Buffer;

/**
 * Whether nothing but chance keeps the system from starting a file: it is a program for this machine whose loader is there,
 * or a script whose interpreter is such a program. What this does not know may start all the same. Linux only.
 */
export function isSureToStart(file: FileName, scripts = 0): boolean {
  let descriptor: number | undefined;
  try {
    if (!isExecutableFile(file)) return false;
    // Without waiting, if it has become a FIFO.
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    const head = bytesOf(descriptor, 0, HEAD_BYTES);
    if (isOurElf(head)) return hasLoader(descriptor, head);
    const interpreter = interpreterOf(head);
    return interpreter !== undefined && scripts < MAX_SCRIPTS && isSureToStart(interpreter, scripts + 1);
  } catch {
    return false;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function bytesOf(descriptor: number, at: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  return bytes.subarray(0, readSync(descriptor, bytes, 0, length, at));
}

let ourMachine: number | undefined;

function isOurElf(head: Buffer): boolean {
  if (!startsWith(head, ELF_MAGIC) || head.length < HEADER_BYTES) return false;
  ourMachine ??= machineOf(process.execPath);
  return head.readUInt16LE(MACHINE_AT) === ourMachine;
}

function machineOf(file: string): number {
  const descriptor = openSync(file, 'r');
  try {
    return bytesOf(descriptor, 0, HEADER_BYTES).readUInt16LE(MACHINE_AT);
  } finally {
    closeSync(descriptor);
  }
}

/** Or needs none. */
function hasLoader(descriptor: number, head: Buffer): boolean {
  const segments = Number(head.readBigUInt64LE(32));
  const count = head.readUInt16LE(56);
  if (head.readUInt16LE(54) !== SEGMENT_BYTES || count === 0) return false;
  if (segments + count * SEGMENT_BYTES > head.length) return false;
  for (let at = segments; at < segments + count * SEGMENT_BYTES; at += SEGMENT_BYTES) {
    if (head.readUInt32LE(at) !== INTERPRETER_SEGMENT) continue;
    const length = Number(head.readBigUInt64LE(at + 32));
    if (length < 2 || length > MAX_PATH_BYTES) return false;
    const path = bytesOf(descriptor, Number(head.readBigUInt64LE(at + 8)), length);
    if (path.length !== length || path.indexOf(0) !== length - 1) return false;
    return isAbsolute(path) && isExecutableFile(path.subarray(0, length - 1));
  }
  return true;
}

function interpreterOf(head: Buffer): Buffer | undefined {
  const line = head.subarray(0, SCRIPT_HEAD_BYTES);
  const end = line.indexOf('\n');
  if (end === -1 || !startsWith(head, Buffer.from('#!'))) return undefined;
  const path = /^#![ \t]*(\/[^ \t\0]*)[^\0]*$/.exec(line.toString('latin1', 0, end))?.[1];
  return path === undefined ? undefined : Buffer.from(path, 'latin1');
}

function isExecutableFile(file: FileName): boolean {
  if (!statSync(file).isFile()) return false;
  accessSync(file, constants.X_OK);
  return true;
}

const startsWith = (bytes: Buffer, start: Buffer): boolean => bytes.subarray(0, start.length).equals(start);
const isAbsolute = (path: Buffer): boolean => startsWith(path, Buffer.from('/'));
