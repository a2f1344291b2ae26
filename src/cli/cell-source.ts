import { createReadStream, fstatSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { fileProblem } from '../names/file-problem.js';
import { nearest } from '../names/nearest-name.js';
import type { CellArgument } from './argument-tokens.js';
import { meantText, notUtf8Text, tooLargeText, unreadableCellText } from './messages.js';
import { commands } from './options.js';
import { isReadable, notRegular } from './regular-file.js';
import { UsageError } from './usage-error.js';

/** What has no end has to be given up somewhere: four times what a host takes in one frame. */
const MAX_MIB = 256;
const BYTES_PER_MIB = 1_048_576;

export interface CellSource {
  /** How messages call it: the path as the user wrote it, or `[eval]`, `[stdin]`. */
  readonly label: string;
  /** What is sent to the host. */
  readonly source: string;
  /** What people are shown of it: the same lines and columns, with the types that were taken away. */
  readonly shown: string;
  /** By the name of its file. */
  readonly typescript: boolean;
}

export interface CellInput {
  readonly cwd: string;
  readonly stdin: Readable;
}

/** Reads every cell before the first one runs, so that a typing mistake in the last name costs nothing. */
export async function loadCells(cells: readonly CellArgument[], input: CellInput): Promise<CellSource[]> {
  const evals = cells.filter((cell) => cell.kind === 'eval').length;
  let seen = 0;
  const loading = cells.map(async (cell): Promise<CellSource> => {
    if (cell.kind === 'eval') {
      seen += 1;
      return cellOf(evals === 1 ? '[eval]' : `[eval ${seen}]`, cell.source);
    }
    const label = cell.name === '-' ? '[stdin]' : cell.name;
    const bytes = cell.name === '-' ? await readStream(input.stdin, label) : await readCell(cell.name, input.cwd);
    return cellOf(label, decode(bytes, label));
  });
  const loaded = await Promise.allSettled(loading);
  return loaded.map((cell) => {
    if (cell.status === 'rejected') throw cell.reason;
    return cell.value;
  });
}

const cellOf = (label: string, source: string): CellSource => ({
  label,
  source,
  shown: source,
  typescript: /\.[cm]?ts$/i.test(label),
});

async function readCell(name: string, cwd: string): Promise<Uint8Array> {
  const path = resolve(cwd, name);
  try {
    if (!(await isReadable(path))) throw notRegular();
    // Through a stream: what a descriptor leads to may have no end.
    return await bytesOf(createReadStream(path));
  } catch (error) {
    throw unreadable(name, path, error);
  }
}

async function readStream(stream: Readable, label: string): Promise<Uint8Array> {
  try {
    refuseFolder(stream);
    return await bytesOf(stream);
  } catch (error) {
    throw unreadable(label, label, error);
  }
}

async function bytesOf(stream: Readable): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream as AsyncIterable<Buffer | string>) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    length += bytes.length;
    if (length > MAX_MIB * BYTES_PER_MIB) throw new Error(tooLargeText(MAX_MIB));
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

/** Node takes a directory on standard input for one that has nothing in it. */
function refuseFolder(stream: Readable): void {
  const { fd } = stream as { readonly fd?: unknown };
  if (typeof fd !== 'number' || !fstatSync(fd).isDirectory()) return;
  throw Object.assign(new Error(), { code: 'EISDIR' });
}

function decode(bytes: Uint8Array, label: string): string {
  try {
    // The byte-order mark stays: positions in errors count it.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new UsageError(notUtf8Text(label), { cause: error });
  }
}

function unreadable(name: string, path: string, error: unknown): UsageError {
  const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
  const hint = missing ? whatWasMeant(name) : undefined;
  const problem = unreadableCellText(name, fileProblem(name, path, error));
  return new UsageError(hint === undefined ? problem : `${problem}; ${hint}`, { cause: error });
}

/** Words that others take as commands. Only as they are: what is near to one is more often the name of a cell. */
const asked: ReadonlyMap<string, string> = new Map([
  ['help', '--help'],
  ['version', '--version'],
]);

/** A command that is misspelt is taken for a cell, and so is a source. */
function whatWasMeant(name: string): string | undefined {
  if (/\.[cm]?[jt]s$/i.test(name)) return undefined;
  if (/[\s(;=`]/.test(name)) return meantText.source;
  if (!/^[a-z-]+$/.test(name)) return undefined;
  const command = asked.get(name) ?? nearest(name, [...commands, 'exec-server']);
  // Who has written the name of a command behind another one means a file.
  return command === undefined || command === name ? undefined : meantText.command(command);
}
