import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { CliRun, fixture, lastEvent, patience } from '../support/cli.js';
import { markedProcesses } from '../support/marked-processes.js';

// Death without a warning. The limit of 1 s is what we promise, stretched on a busy machine.

const cells: readonly (readonly [state: string, source: string])[] = [
  ['spins', 'text("up"); while(true){}'],
  ['spins behind an await', 'text("up"); await Promise.resolve(); for(;;){}'],
  ['waits', 'text("up"); await new Promise(() => {})'],
  ['prints', 'text("up"); for(;;) text("more and more")'],
  ['allocates', 'text("up"); for(;;) new Uint8Array(1e6).fill(1)'],
];

async function spinning(run: CliRun): Promise<number> {
  const host = Number((await run.event('host')).pid);
  await run.event('content');
  // Ourselves, the host, and one runner at least.
  assert.ok(markedProcesses(run.mark).length >= 3, JSON.stringify(markedProcesses(run.mark)));
  return host;
}

for (const [state, source] of cells) {
  test(`nothing outlives a SIGKILL of codemode-run while a cell ${state}`, async (t) => {
    const run = new CliRun(t, ['--json', '--yield-time', '20', '-e', source]);
    await spinning(run);
    run.child.kill('SIGKILL');
    await run.nothingLeft(patience(1_000));
    assert.equal((await run.ended).signal, 'SIGKILL');
  });

  test(`no runner outlives a SIGKILL of its host alone while a cell ${state}`, async (t) => {
    const run = new CliRun(t, ['--json', '--yield-time', '20', '-e', source]);
    const host = await spinning(run);
    process.kill(host, 'SIGKILL');
    const { code, stdout } = await run.finish();
    const { type, code: reason, message } = lastEvent(stdout);
    assert.deepEqual([code, type, reason], [3, 'error', 'host-exited']);
    assert.equal(message, 'code-mode host exited with status signal: 9 (SIGKILL)');
  });
}

test('a runner that is killed fails its cell, and the next cell has another one', async (t) => {
  const run = new CliRun(t, ['--json', '--yield-time', '20', '-e', 'text("up"); while(true){}']);
  await spinning(run);
  const busy = markedProcesses(run.mark).filter(({ command }) => command.includes('runner.cjs'));
  for (const { pid } of busy) process.kill(pid, 'SIGKILL');
  const { code, stdout } = await run.finish();
  const last = lastEvent(stdout) as { type: string; status?: string; error?: { message?: string } };
  assert.deepEqual([code, last.type, last.status], [1, 'result', 'failed']);
  assert.match(last.error?.message ?? '', /^exec runtime ended unexpectedly: /);
});

test('a fixture that knows nothing of us ends with codemode-run, as its input does', async (t) => {
  const run = new CliRun(t, ['--json', '--host', fixture('never-answers-open'), '-e', '1']);
  await run.event('host');
  run.child.kill('SIGKILL');
  await run.nothingLeft(patience(1_000));
});

test('the environment of a runner is empty, but for time zone and language', async (t) => {
  const env = { SECRET_TOKEN: 'x', FOO: 'y', LANG: 'C.UTF-8', TZ: 'UTC' };
  const run = new CliRun(t, ['--json', '--inherit-env', '--yield-time', '20', '-e', 'text("up"); while(true){}'], {
    env,
  });
  await spinning(run);
  const runners = markedProcesses(run.mark).filter(({ command }) => /^\S*node .*runner\.cjs/.test(command));
  assert.ok(runners.length > 0);
  for (const { pid } of runners) {
    const names = readFileSync(`/proc/${pid}/environ`, 'latin1')
      .split('\0')
      .map((entry) => entry.split('=')[0] ?? '');
    const surplus = names.filter((name) => !/^(|TZ|LANG|LC_\w+|PATH)$/.test(name));
    assert.deepEqual(surplus, []);
  }
  run.child.kill('SIGTERM');
  await run.finish();
});
