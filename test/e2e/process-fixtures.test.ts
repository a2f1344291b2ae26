import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CliRun, fixture, runCli } from '../support/cli.js';
import { completes, fails } from '../support/fixture-run.js';
import { killMarked, markedProcesses } from '../support/marked-processes.js';
import { shellWord } from '../support/shell-word.js';

// Hosts with processes of their own.

const left = { code: 'host-exited', message: 'code-mode host exited with status exit status: 4' };

test('a child that holds stdout delays nothing, and is gone too', async (t) => {
  await fails(t, 'grandchild-holds-stdout', left);
});

test('a helper that ignores SIGTERM goes with its host', async (t) => {
  await completes(t, 'keeps-a-helper');
});

test('a child in a session of its own delays nothing; it is beyond our reach', async (t) => {
  const run = new CliRun(t, ['--host', fixture('setsid-grandchild'), '-e', 'text(1)']);
  const { code, stderr } = await run.ended;
  assert.deepEqual([code, stderr], [3, `codemode-run: ${left.message}\n`]);
  assert.deepEqual(
    markedProcesses(run.mark).map(({ command }) => command),
    ['sleep 15'],
  );
  killMarked(run.mark);
  await run.nothingLeft();
});

test('a host may be a program that PATH leads to, with arguments of its own', async (t) => {
  const args = ['--host', 'node', '--host-arg', fixture('behaves'), '-e', 'text(1)'];
  assert.deepEqual(await runCli(t, args), { code: 0, signal: null, stdout: 'done\n', stderr: '' });
});

test('arguments reach the host exactly as they were given', async (t) => {
  const given = ['1e3', '007', '0x10', '--no-color', '-e', '', '--timeout', "it's $HOME & co"];
  const args = given.flatMap((argument) => ['--host-arg', argument]);
  const { stderr } = await runCli(t, ['--verbose', '--host', fixture('prints-arguments'), ...args, '-e', 'text(1)']);
  assert.ok(stderr.split('\n').includes(`[host] arguments: ${JSON.stringify(given)}`), stderr);
});

test('a chain of shells ends with everything in it', async (t) => {
  const inner = `${shellWord(process.execPath)} ${shellWord(fixture('silent'))}; true`;
  const script = `sh -c ${shellWord(inner)}; true`;
  const args = [
    '--handshake-timeout',
    '300',
    '--host',
    'sh',
    '--host-arg',
    '-c',
    '--host-arg',
    script,
    '-e',
    'text(1)',
  ];
  const { code, stderr } = await runCli(t, args);
  assert.equal(code, 3);
  assert.match(stderr, /^codemode-run: timed out negotiating with the code-mode host: .*\(limit: 300 ms\)\n$/);
});

test('everything ends as it should where no program can be found, `ps` and `unshare` included', async (t) => {
  const env = { PATH: '/nonexistent' };
  const good = await runCli(t, ['-e', 'text(1)'], { env });
  assert.deepEqual([good.code, good.stdout, good.stderr], [0, '1\n', '']);
  const ended = await runCli(t, ['--timeout', '500', '-e', 'while(true){}'], { env });
  assert.equal(ended.code, 4);
});
