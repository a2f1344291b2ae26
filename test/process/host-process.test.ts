import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { eventually, isAlive, processesInGroup } from '../support/processes.js';
import { firstLine, readAll, startNode, startShell } from './hosts.js';

test('an exit is reported by its code or its signal', async (context) => {
  assert.deepEqual(await (await startShell(context, 'exit 3')).exited, { code: 3, signal: null });
  const host = await startShell(context, 'kill -SEGV $$');
  assert.equal(host.exitStatus(), undefined);
  assert.deepEqual(await host.exited, { code: null, signal: 'SIGSEGV' });
  assert.deepEqual(host.exitStatus(), { code: null, signal: 'SIGSEGV' });
});

test('a disposal can be asked for often, and says how the host ended', async (context) => {
  const host = await startShell(context, 'sleep 30');
  const [first, second] = [host.dispose(), host.dispose()];
  assert.equal(first, second);
  assert.deepEqual(await first, { code: null, signal: 'SIGKILL' });
  assert.deepEqual(await host.dispose(), { code: null, signal: 'SIGKILL' });
  host.kill();
  for (const stream of [host.stdin, host.stdout]) assert.ok(stream.destroyed);
});

test('output is not lost when its first reader comes long after the exit', async (context) => {
  const host = await startShell(context, 'echo early; echo late');
  await host.exited;
  for (let i = 0; i < 20; i += 1) await turn();
  assert.equal(await readAll(host.stdout), 'early\nlate\n');
});

for (const when of ['at once', 'turns later']) {
  test(`a data listener attached ${when} gets every byte and the end`, async (context) => {
    const host = await startNode(context, 'process.stdout.write("x".repeat(3_000_000))');
    if (when !== 'at once') for (let i = 0; i < 50; i += 1) await turn();
    let bytes = 0;
    host.stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
    });
    await new Promise((resolve) => host.stdout.once('end', resolve));
    assert.equal(bytes, 3_000_000);
  });
}

test('writing to a host that has gone ends neither us nor the host record', async (context) => {
  const host = await startShell(context, 'exec <&-; echo closed; sleep 30');
  await firstLine(host.stdout);
  const error = await new Promise((resolve) => host.stdin.write('x'.repeat(100), resolve));
  assert.equal((error as NodeJS.ErrnoException).code, 'EPIPE');
  await host.dispose();
  host.stdin.write('more');
});

test('input reaches the host and its end is seen', async (context) => {
  const host = await startShell(context, 'cat; echo end');
  host.stdin.end('hello ');
  assert.equal(await readAll(host.stdout), 'hello end\n');
  assert.deepEqual(await host.exited, { code: 0, signal: null });
});

test('a grandchild with a session of its own that holds stdout does not keep the disposal waiting', async (context) => {
  const host = await startShell(context, "setsid sh -c 'echo $$; exec sleep 30' & wait");
  const survivor = Number(await firstLine(host.stdout));
  try {
    // A disposal that waits for the pipes gives up in time, and does not know how the host ended.
    assert.deepEqual(await host.dispose(), { code: null, signal: 'SIGKILL' });
    assert.ok(host.stdout.destroyed);
    // Out of reach of a group kill, as documented.
    assert.ok(isAlive(survivor));
  } finally {
    process.kill(survivor, 'SIGKILL');
    await eventually(() => !isAlive(survivor));
  }
});

test('a host killed by somebody else is seen to exit', async (context) => {
  const host = await startShell(context, 'sleep 30 & wait');
  process.kill(host.pid, 'SIGTERM');
  assert.deepEqual(await host.exited, { code: null, signal: 'SIGTERM' });
  await host.dispose();
  await eventually(() => processesInGroup(host.pid).length === 0);
});
