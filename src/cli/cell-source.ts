import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { nearest } from '../tools/nearest-name.js';
import type { CellArgument } from './argument-tokens.js';
import { commandMeantText, notUtf8Text, unreadableCellText } from './messages.js';
import { commands } from './options.js';
import { UsageError } from './usage-error.js';

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
  try {
    return await readFile(resolve(cwd, name));
  } catch (error) {
    throw unreadable(name, error);
  }
}

async function readStream(stream: Readable, label: string): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of stream) chunks.push(Buffer.from(chunk));
  } catch (error) {
    throw unreadable(label, error);
  }
  return Buffer.concat(chunks);
}

function decode(bytes: Uint8Array, label: string): string {
  try {
    // The byte-order mark stays: positions in errors count it.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new UsageError(notUtf8Text(label), { cause: error });
  }
}

function unreadable(name: string, error: unknown): UsageError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
  const message = error instanceof Error ? error.message : String(error);
  const text = unreadableCellText(name, code, message);
  // A command that is misspelt is taken for a cell.
  const command = code === 'ENOENT' && /^[a-z-]+$/.test(name) ? nearest(name, [...commands, 'exec-server']) : undefined;
  const meant = command !== undefined && command !== name;
  return new UsageError(meant ? commandMeantText(text, command) : text, { cause: error });
}
