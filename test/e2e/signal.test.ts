import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { CliRun, fixture, lastEvent, temporaryFolder } from '../support/cli.js';
import { groupIsGone } from '../support/processes.js';
import { fullStdoutTool, slowTool } from './tool-files.js';

// Signals to codemode-run: the host's group ends first, then we.

for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const) {
  test(`${signal} ends a spinning cell, its host and us`, async (t) => {
    const run = new CliRun(t, ['--json', '--yield-time', '20', '-e', 'text("up"); while(true){}']);
    await run.event('content');
    run.child.kill(signal);
    const ended = await run.finish();
    const { type, code: reason, message, data } = lastEvent(ended.stdout);
    assert.deepEqual([type, reason, message, data], ['error', 'cancelled', `ended by ${signal}`, { signal }]);
    assert.deepEqual([ended.code, ended.stderr], [code, '']);
  });

  test(`${signal} ends a start that is under way, and a host that ignores it`, async (t) => {
    const run = new CliRun(t, ['--verbose', '--host', fixture('ignores-sigterm'), '-e', '1']);
    await run.seen(/^\[codemode-run\] started /m);
    run.child.kill(signal);
    const ended = await run.finish();
    assert.equal(ended.code, code);
    assert.match(ended.stderr, new RegExp(`^codemode-run: ended by ${signal}$`, 'm'));
  });
}

/** A run whose cell is a pipe that has a writer, itself, and so never ends. */
async function endless(t: TestContext): Promise<CliRun> {
  const cwd = await temporaryFolder(t);
  execFileSync('mkfifo', [join(cwd, 'fifo')]);
  const run = new CliRun(t, ['--verbose', '/dev/stdin'], { cwd, shell: 'exec 9<>fifo; exec "$@" <fifo' });
  // The host has nothing to do with it, but is started first, and when it is ready the file is being read.
  await run.seen(/^\[codemode-run\] ready /m);
  return run;
}

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  test(`we die of ${signal}, as its status says, although a file that is being read never ends`, async (t) => {
    const run = await endless(t);
    run.child.kill(signal);
    const ended = await run.ended;
    assert.deepEqual([ended.code, ended.signal], [null, signal]);
    assert.match(ended.stderr, new RegExp(`^codemode-run: ended by ${signal}$`, 'm'));
    await run.nothingLeft();
  });
}

test('a second signal ends us at once, although a file that is being read never ends', async (t) => {
  const run = await endless(t);
  run.child.kill('SIGINT');
  await run.seen(/^codemode-run: ended by SIGINT$/m);
  run.child.kill('SIGINT');
  assert.equal((await run.ended).signal, 'SIGINT');
  await run.nothingLeft();
});

test('a signal ends an exec-server that is reading its token, by that signal', async (t) => {
  const cwd = await temporaryFolder(t);
  execFileSync('mkfifo', [join(cwd, 'fifo')]);
  const run = new CliRun(t, ['exec-server', '--auth-token-file', 'fifo'], { cwd });
  // Opens when the other side does.
  const fifo = await open(join(cwd, 'fifo'), 'w');
  run.child.kill('SIGTERM');
  assert.equal((await run.ended).signal, 'SIGTERM');
  await fifo.close();
  await run.nothingLeft();
});

test('a signal during a tool call needs no answer of the tool', async (t) => {
  const args = ['--json', '--tools', slowTool, '-e', 'await tools.echo({})'];
  const run = new CliRun(t, args);
  await run.event('tool-call');
  run.child.kill('SIGINT');
  const { code, stdout } = await run.finish();
  assert.deepEqual([code, lastEvent(stdout).code], [130, 'cancelled']);
});

test('a signal while we wait for standard input ends the run', async (t) => {
  const run = new CliRun(t, ['--verbose', '-'], { openStdin: true });
  await run.seen(/^\[codemode-run\] ready /m);
  run.child.kill('SIGINT');
  const { code, stderr } = await run.finish();
  assert.equal(code, 130);
  assert.match(stderr, /^codemode-run: ended by SIGINT$/m);
});

for (const [how, json] of [
  ['text', []],
  ['JSON', ['--json']],
] as const) {
  test(`a second signal ends us at once, though nobody reads what we say: ${how}`, async (t) => {
    // More than any pipe holds.
    const cell = 'text("x".repeat(4e6)); await new Promise(() => {})';
    const args = [...json, '--verbose', '--yield-time', '20', '--tools', fullStdoutTool, '-e', cell];
    const run = new CliRun(t, args, { holdStdout: true });
    const [, host] = await run.seen(/, pid (\d+)$/m);
    await run.seen(/^stdout is full$/m);
    const exited = new Promise<number | null>((resolve) => run.child.once('exit', (code) => resolve(code)));
    run.child.kill('SIGINT');
    await groupIsGone(Number(host));
    await run.seen(/^our last words wait$/m);
    run.child.kill('SIGTERM');
    assert.equal(await exited, 143);
    run.readStdout();
    await run.finish();
  });
}

test('a signal at any moment of the start leaves nothing', async (t) => {
  for (let ms = 0; ms < 120; ms += 8) {
    const run = new CliRun(t, ['-e', 'while(true){}']);
    // Not to wait for something, but to hit different moments.
    await delay(ms);
    run.child.kill('SIGTERM');
    const { code, signal } = await run.ended;
    assert.ok(code === 143 || signal === 'SIGTERM', `${ms} ms: ${code} ${signal}`);
    await run.nothingLeft();
  }
});
