import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CliRun, fixture, lastEvent, temporaryFile } from '../support/cli.js';
import { fails, isEnded } from '../support/fixture-run.js';
import { slowTool } from './tool-files.js';

// Hosts that are lost, or silent, while something waits for them.

const exited = 'code-mode host exited with status ';
const code = 'host-exited';

test('a host that ends in a cell is reported with its status and its stderr', async (t) => {
  const details = ['what the host wrote to stderr:', '  the cell was too much for me'];
  const { json } = await fails(t, 'exits-in-a-cell', { code, message: `${exited}exit status: 3`, details });
  const { data } = lastEvent(json.stdout) as unknown as { data: { stderr: string; exit: unknown } };
  assert.deepEqual([data.stderr, data.exit], ['the cell was too much for me\n', { code: 3, signal: null }]);
});

test('a host that is killed in a cell is reported with the signal', async (t) => {
  await fails(t, 'killed-in-a-cell', { code, message: `${exited}signal: 9 (SIGKILL)` });
});

test('an exit with 0 while a request waits is a loss', async (t) => {
  await fails(t, 'exits-instead-of-open', { code, message: `${exited}exit status: 0` });
});

test('an exit between two answers is reported as what it is', async (t) => {
  await fails(t, 'exits-between-answers', { code, message: `${exited}exit status: 3` });
});

test('an exit while we were busy with the output is reported as what it was, and starts no other host', async (t) => {
  const args = ['--verbose', '--host', fixture('exits-behind-much-output'), '-e', 'text(1)'];
  const run = new CliRun(t, args, { holdStdout: true });
  await run.seen(/^\[codemode-run\] connection lost: /m);
  run.readStdout();
  const { code: exit, stdout, stderr } = await run.finish();
  assert.deepEqual([exit, stdout.length], [3, 1_000_001]);
  assert.match(stderr, /^codemode-run: code-mode host exited with status exit status: 3$/m);
  assert.equal(stderr.match(/^\[codemode-run\] started /gm)?.length, 1, stderr);
});

test('a tool that still works is told when the host is lost', async (t) => {
  const run = new CliRun(t, ['--host', fixture('dies-during-tool-call'), '--tools', slowTool, '-e', 'text(1)']);
  const { code: exit, stderr } = await run.finish();
  assert.equal(stderr, `tool: told to stop\ncodemode-run: ${exited}exit status: 5\n`);
  assert.equal(exit, 3);
});

for (const [name, status] of [
  ['exits-during-a-large-write', 'exit status: 7'],
  ['stops-reading-then-dies', 'signal: 9 (SIGKILL)'],
] as const) {
  test(`the exit, not the broken pipe, is the reason: ${name}`, async (t) => {
    const large = await temporaryFile(t, 'large.js', `text('${'x'.repeat(8 * 2 ** 20)}')`);
    await fails(t, name, { code, message: `${exited}${status}`, args: [large], cells: [] });
  });
}

test('a host that closes its stdin and lives is reported by the pipe', async (t) => {
  const message = 'failed to write code-mode host message: Broken pipe (os error 32)';
  await fails(t, 'closes-stdin-and-lives', { code: 'write-failed', message });
});

test('a host that closes its stdout and lives is given up', async (t) => {
  await fails(t, 'closes-stdout-after-ready', { code: 'host-closed', message: 'code-mode host closed its stdout' });
});

const message = 'the cell was ended by its time limit (timeout) of 500 ms';
for (const name of ['never-answers-execute', 'never-answers-wait', 'never-answers-terminate']) {
  test(`the time limit of a cell does not need the host: ${name}`, async (t) => {
    await isEnded(t, name, { status: 'timeout', message, args: ['--timeout', '500'] });
  });
}

test('the time limit of a cell also covers a host that does not read it', async (t) => {
  const large = await temporaryFile(t, 'large.js', `text('${'x'.repeat(2 ** 20)}')`);
  const run = new CliRun(t, ['--json', '--timeout', '500', '--host', fixture('stops-reading'), large]);
  const { code: exit, stdout } = await run.finish();
  const last = lastEvent(stdout);
  assert.deepEqual([exit, last.type, last.status], [4, 'result', 'timeout']);
});

test('a host that never closes its session keeps nobody from the result', async (t) => {
  const run = new CliRun(t, ['--json', '--host', fixture('never-answers-shutdown'), '-e', 'text(1)']);
  assert.equal((await run.event('result')).status, 'completed');
  const { code: exit, stdout } = await run.finish();
  assert.deepEqual([exit, lastEvent(stdout).type], [0, 'result']);
});

test('a host that never opens a session is given up after the time that the user gave it', async (t) => {
  await fails(t, 'never-answers-open', {
    args: ['--handshake-timeout', '700'],
    code: 'operation-timeout',
    message: 'code-mode host did not open a session within 700 ms (limit --handshake-timeout)',
  });
});

for (const name of ['never-answers-open', 'never-reads-stdin']) {
  test(`a host that never opens a session can be interrupted: ${name}`, async (t) => {
    const run = new CliRun(t, ['--json', '--host', fixture(name), '-e', 'text(1)']);
    await run.event('host');
    run.child.kill('SIGINT');
    const { code: exit, stdout } = await run.finish();
    assert.deepEqual([exit, lastEvent(stdout).code], [130, 'cancelled']);
  });
}
