import { setTimeout as delay } from 'node:timers/promises';
import { parseCell } from '../../../src/source/syntax.js';

type Tool = (input: Record<string, unknown>) => unknown;
const noted: string[] = [];

/** What the cells of the corpus may call. `note` leaves a trace when its answer has come. */
const tools: Readonly<Record<string, Tool>> = {
  echo: (input) => input,
  read_file: (input) => input,
  write_file: () => null,
  exec_command: () => ({ output: '' }),
  slow: () => ({ n: 1 }),
  word: () => 'word',
  list: () => ['a', 'b'],
  search: () => [],
  note: ({ n }) => noted.push(`noted ${n}`),
};
export const toolNames = Object.keys(tools);

const ended = Symbol('exit');
const AsyncFunction = (async () => {}).constructor as new (
  ...words: string[]
) => (...values: unknown[]) => Promise<void>;

/** Runs a cell without exports and imports, as a host would, and tells what it has put out by the time it ends. */
export async function runCorpusCell(source: string): Promise<string[]> {
  if (parseCell(source).program === undefined) throw new SyntaxError(`no cell: ${source}`);
  noted.length = 0;
  const output = noted;
  let over = false;
  const text = (value: unknown): void => {
    // In a host no `catch` sees the end of a cell.
    if (!over) output.push(typeof value === 'object' ? JSON.stringify(value) : String(value));
  };
  const exit = (): never => {
    over = true;
    throw ended;
  };
  const called = Object.entries(tools).map(([name, tool]) => [
    name,
    async (input: Record<string, unknown>) => {
      await delay(1);
      return tool(input);
    },
  ]);
  const body = source.replace(/^export (default )?/gm, '');
  const run = new AsyncFunction('tools', 'text', 'exit', `"use strict";${body}`);
  try {
    await run(Object.fromEntries(called), text, exit);
  } catch (error) {
    if (error !== ended) throw error;
  }
  return [...output];
}
