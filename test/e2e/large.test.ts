import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { CliRun, lastEvent, runCli } from '../support/cli.js';
import { moreTools } from './tool-files.js';

const LINES = 2 ** 20;
/** 32 MiB without two equal lines, so that whatever is lost, doubled or swapped is seen. */
const body = Array.from({ length: LINES }, (_, line) => String(line).padStart(31, '.'))
  .join('\n')
  .padEnd(2 ** 25);
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

test('32 MiB of text arrive whole, and in order, through a slow pipe', async (t) => {
  const source = `const lines = Array.from({ length: ${LINES} }, (_, line) => String(line).padStart(31, '.'));
    for (let at = 0; at < ${LINES}; at += 65536) text(lines.slice(at, at + 65536).join('\\n'));`;
  const run = new CliRun(t, ['-e', source], { holdStdout: true });
  const chunks: Buffer[] = [];
  for await (const chunk of run.child.stdout) {
    chunks.push(chunk as Buffer);
    await delay(1);
  }
  const { code, stderr } = await run.finish();
  assert.deepEqual([code, stderr], [0, '']);
  const got = Buffer.concat(chunks).toString();
  assert.equal(got.length, 2 ** 25);
  assert.equal(sha256(got.slice(0, -1)), sha256(body.slice(0, -1)));
});

test('one text of 32 MiB arrives whole', async (t) => {
  const { code, stdout, stderr } = await runCli(t, ['-e', "text('ab'.repeat(2 ** 24))"]);
  assert.deepEqual([code, stderr, stdout.length], [0, '', 2 ** 25 + 1]);
  assert.equal(sha256(stdout), sha256(`${'ab'.repeat(2 ** 24)}\n`));
});

test('a tool result of 32 MiB arrives whole in the cell, and goes back whole', async (t) => {
  const source = 'const r = await tools.big({}); text(r.length); text(r)';
  const { code, stdout, stderr } = await runCli(t, ['--tools', moreTools, '-e', source]);
  assert.deepEqual([code, stderr], [0, '']);
  assert.equal(stdout.length, '33554432\n'.length + 2 ** 25 + 1);
  assert.equal(sha256(stdout), sha256(`33554432\n${body}\n`));
});

test('a reader that waits until the end gets all of 3 MB', async (t) => {
  const shell = '"$@" | (read -r first; sleep 1; echo "$first" | wc -c; wc -c)';
  const { code, stdout, stderr } = await runCli(t, ['-e', 'text("head"); text("x".repeat(3e6))'], { shell });
  assert.deepEqual([code, stdout.match(/\d+/g), stderr], [0, ['5', '3000001'], '']);
});

test('a reader that has had enough ends the run as SIGPIPE would, without a word', async (t) => {
  const shell = '{ "$@"; echo "exit $?" >&2; } | head -n 1';
  const { stdout, stderr } = await runCli(t, ['-e', "for (let i = 0; ; i += 1) text('line ' + i)"], { shell });
  assert.deepEqual([stdout, stderr], ['line 0\n', 'exit 141\n']);
});

test('output that does not fit into one frame fails the cell in words, and the host is not lost', async (t) => {
  const source = 'text("x".repeat(70 * 2 ** 20))';
  const { code, stdout } = await runCli(t, ['--json', '-e', source]);
  const { type, status, cell, error } = lastEvent(stdout);
  assert.deepEqual([code, type, status, cell], [1, 'result', 'failed', '[eval]']);
  const words = /^code-mode (host|initial) response exceeds the IPC frame limit: /;
  assert.match(String((error as { message?: unknown }).message), words);
  const { stderr } = await runCli(t, ['-e', source]);
  assert.match(stderr.replace(/^\[eval\]: /, ''), words);
  assert.match(stderr, /^\[eval\]: /);
});

test('more output than a frame holds is no problem, even if nobody reads it for a while', async (t) => {
  const shell = '"$@" | (sleep 1; wc -c)';
  const source = 'for (let i = 0; i < 96; i += 1) text("x".repeat(2 ** 20 - 1))';
  const { code, stdout, stderr } = await runCli(t, ['-e', source], { shell });
  assert.deepEqual([code, stdout.trim(), stderr], [0, String(96 * 2 ** 20), '']);
});

test('a cell that is longer than a frame is refused before it is sent', async (t) => {
  const { code, stdout } = await runCli(t, ['--json', '-'], { stdin: `text(1)//${'x'.repeat(65 * 2 ** 20)}` });
  const last = lastEvent(stdout);
  assert.deepEqual([code, last.type, last.code], [1, 'error', 'frame-too-large']);
  assert.match(String(last.message), /^code-mode execute request exceeds the IPC frame limit: /);
});
