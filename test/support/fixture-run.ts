import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { type Ended, fixture, lastEvent, runCli } from './cli.js';

export interface Options {
  readonly args?: readonly string[];
  readonly cells?: readonly string[];
}

const command = (name: string, { args = [], cells = ['text("not for this host")'] }: Options): string[] => [
  '--host',
  fixture(name),
  ...args,
  ...cells.flatMap((cell) => ['-e', cell]),
];

/** Runs a fixture for people and for programs at once. */
async function runBoth(test: TestContext, name: string, options: Options): Promise<{ text: Ended; json: Ended }> {
  const line = command(name, options);
  const [text, json] = await Promise.all([runCli(test, line), runCli(test, ['--json', ...line])]);
  return { text, json };
}

export interface Failure extends Options {
  readonly exit?: number;
  readonly code: string;
  /** The one line on stderr, and in the last event; `N` stands for a number of milliseconds after the start. */
  readonly message: string | RegExp;
  /** Further lines on stderr. */
  readonly details?: readonly string[];
}

const withoutTimes = (text: string): string => text.replace(/after \d+ ms/g, 'after N ms');

function same(actual: string, expected: string | RegExp): void {
  if (typeof expected === 'string') assert.equal(actual, expected);
  else assert.match(actual, expected);
}

/** The run fails, says why in one line, in both forms, and leaves no process. */
export async function fails(test: TestContext, name: string, expected: Failure): Promise<{ text: Ended; json: Ended }> {
  const { exit = 3, code, message, details = [] } = expected;
  const { text, json } = await runBoth(test, name, expected);
  const [first = '', ...more] = withoutTimes(text.stderr).replace(/\n$/, '').split('\n');
  same(first.replace(/^codemode-run: /, ''), message);
  assert.ok(first.startsWith('codemode-run: '), first);
  assert.deepEqual(more, details);
  assert.equal(text.stdout, '');
  const last = lastEvent(json.stdout);
  assert.deepEqual([last.type, last.code], ['error', code]);
  same(withoutTimes(String(last.message)), message);
  assert.equal(json.stderr, '');
  assert.deepEqual([text.code, json.code], [exit, exit]);
  return { text, json };
}

/** The run completes and prints what the fixture sends. */
export async function completes(
  test: TestContext,
  name: string,
  { stdout = 'done\n', ...options }: Options & { readonly stdout?: string } = {},
): Promise<{ text: Ended; json: Ended }> {
  const { text, json } = await runBoth(test, name, options);
  assert.deepEqual([text.code, text.stdout, text.stderr], [0, stdout, '']);
  const last = lastEvent(json.stdout);
  assert.deepEqual([json.code, last.type, last.status, json.stderr], [0, 'result', 'completed', '']);
  return { text, json };
}

/** The run ends because of a limit. */
export async function isEnded(
  test: TestContext,
  name: string,
  { message, status, ...options }: Options & { readonly message: string; readonly status: string },
): Promise<void> {
  const { text, json } = await runBoth(test, name, options);
  assert.deepEqual([text.code, text.stdout, text.stderr], [4, '', `[eval]: ${message}\n`]);
  const last = lastEvent(json.stdout);
  assert.deepEqual([json.code, last.type, last.status, json.stderr], [4, 'result', status, '']);
  assert.equal((last.error as { message?: unknown }).message, message);
}
