import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fixture, lastEvent, runCli } from '../support/cli.js';
import { completes, fails, isEnded } from '../support/fixture-run.js';
import { echoTool } from './tool-files.js';

// Hosts that are strange, but within their rights.

test('a host that behaves completes', async (t) => {
  await completes(t, 'behaves');
});

test('a newer host may grant and say more than we know', async (t) => {
  await completes(t, 'grants-unasked');
});

test('a cell may be closed before its result comes', async (t) => {
  await completes(t, 'closes-before-initial');
});

test('the id of a cell may be empty', async (t) => {
  const { json } = await completes(t, 'empty-cell-id');
  assert.equal(lastEvent(json.stdout).cellId, '');
});

test('a tool may be called before the cell is known to have started', async (t) => {
  const stdout = 'answer: {"status":"ok","value":{"type":"tool/result","result":{}}}\n';
  await completes(t, 'delegates-before-started', { args: ['--tools', echoTool], stdout });
});

test('a tool call for an unknown cell is answered with an error, and the run goes on', async (t) => {
  const stdout = 'code-mode host delegated for unknown cell ghost in session session-1\n';
  await completes(t, 'delegates-for-unknown-cell', { args: ['--tools', echoTool], stdout });
});

test('the answer of a cell counts, though the host ends right behind it', async (t) => {
  await completes(t, 'final-answer-then-exit');
});

test('a host that refuses to close its session spoils no result', async (t) => {
  await completes(t, 'refuses-shutdown');
});

test('a cell that is never closed does no harm', async (t) => {
  await completes(t, 'reuses-live-cell');
});

test('but its id must not be given to the next', async (t) => {
  const cells = ['-e', 'text(1)', '-e', 'text(2)'];
  const message = 'code-mode host reused live cell 1 in session session-1';
  const { code, stdout, stderr } = await runCli(t, ['--host', fixture('reuses-live-cell'), ...cells]);
  assert.deepEqual([code, stdout, stderr], [3, 'done\n', `codemode-run: ${message}\n`]);
});

for (const [name, message] of [
  ['refuses-open', 'no room for another session'],
  ['refuses-execute', 'no cells on Sundays'],
] as const) {
  test(`the host's own words say why it refused: ${name}`, async (t) => {
    await fails(t, name, { exit: 1, code: 'operation-failed', message });
  });
}

test('an error in place of the first answer of a cell is the end of that cell', async (t) => {
  const args = ['--host', fixture('error-as-initial'), '-e', 'text(1)'];
  const [{ code, stderr }, json] = await Promise.all([runCli(t, args), runCli(t, ['--json', ...args])]);
  assert.deepEqual([code, stderr], [1, '[eval]: the cell fell off\n']);
  const { type, status, error } = lastEvent(json.stdout);
  const place = { file: '[eval]', line: null, column: null };
  assert.deepEqual([type, status, error], ['result', 'failed', { message: 'the cell fell off', ...place }]);
});

test('a cell that the host ends was ended by a limit', async (t) => {
  await isEnded(t, 'ends-cells-by-itself', { status: 'terminated', message: 'the cell was ended by the host' });
});
