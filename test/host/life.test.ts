import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { eventually, groupIsGone, processesInGroup } from '../support/processes.js';
import { V1Client } from '../support/v1-client.js';

const states: Record<string, { source?: string; tools?: string[] }> = {
  'before the hello is answered': {},
  'a finished cell': { source: '1' },
  'a spinning cell': { source: 'text("up"); while (true) {}' },
  'a spinning cell that catches everything': { source: 'text("up"); for (;;) try { for (;;) {} } catch {} finally {}' },
  'a promise that never settles': { source: 'text("up"); await new Promise(() => {})' },
  'a call that is never answered': { source: 'await tools.never()', tools: ['never'] },
  'endless microtasks': { source: 'text("up"); const f = () => Promise.resolve().then(f); await f()' },
  'a timer loop': { source: 'text("up"); const f = () => setTimeout(f, 1); f(); await new Promise(() => {})' },
  'a catastrophic pattern': { source: 'text("up"); /^(a+)+$/.test("a".repeat(60) + "b")' },
  'a flood of output': { source: 'for (;;) text("x".repeat(100000))' },
};

/** A host in the given state; what it takes to be sure that it is there. */
async function inState({ source, tools = [] }: { source?: string; tools?: string[] }): Promise<V1Client> {
  if (source === undefined) return new V1Client();
  const host = await V1Client.start();
  host.answer = () => new Promise(() => {});
  const id = host.execute(source, { tools, yieldMs: 50 });
  if (tools.length > 0) await host.find((message) => message.type === 'delegate/request');
  const first = await host.initial(id);
  if (source.includes('"up"')) {
    let said = 'Yielded' in first ? first.Yielded.content_items.length : 1;
    while (said === 0) {
      const outcome = await host.wait('1', 20);
      said = 'LiveCell' in outcome && 'Yielded' in outcome.LiveCell ? outcome.LiveCell.Yielded.content_items.length : 1;
    }
  }
  return host;
}

for (const [name, state] of Object.entries(states)) {
  test(`end of input ends the host and all of its runners: ${name}`, async () => {
    const host = await inState(state);
    host.child.stdin?.end();
    assert.equal(await host.exit(), 0, host.stderr);
    await groupIsGone(host.pid);
    assert.equal(host.stderr, '');
  });

  test(`SIGKILL of the host alone leaves no runner: ${name}`, async () => {
    const host = await inState(state);
    host.child.kill('SIGKILL');
    assert.equal(await host.exit(), 'SIGKILL');
    await groupIsGone(host.pid);
  });
}

test('SIGTERM and SIGINT end the host by the signal, with nothing left', async () => {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    const host = await inState({ source: 'text("up"); while (true) {}' });
    host.child.kill(signal);
    assert.equal(await host.exit(), signal);
    await groupIsGone(host.pid);
  }
});

test('a runner that is killed from outside fails its own cell and no other', async () => {
  const host = await V1Client.start();
  await host.open('other');
  const spinning = host.execute('text("up"); await new Promise(() => {})', { yieldMs: 300 });
  await host.initial(spinning);
  // The oldest runner is the one that took the cell; the others wait for one.
  const [busy] = processesInGroup(host.pid)
    .filter(isRunner)
    .sort((a, b) => a - b);
  assert.ok(busy !== undefined);
  process.kill(busy, 'SIGKILL');
  const outcome = await host.wait('1', 60_000);
  assert.ok('LiveCell' in outcome && 'Result' in outcome.LiveCell);
  assert.equal(outcome.LiveCell.Result.error_text, 'exec runtime ended unexpectedly: SIGKILL');
  assert.deepEqual(await host.texts('text("next")'), ['next']);
  await host.close();
});

test('a runner serves the next cell of its session, and never one of another session', async () => {
  const host = await V1Client.start();
  await host.open('other');
  const pids = async () => {
    let found: number[] = [];
    // One for each session, and two that are warm; one that is just being started may not show what it is yet.
    await eventually(() => {
      found = processesInGroup(host.pid).filter(isRunner).sort();
      return found.length === 4;
    });
    return found;
  };
  await host.texts('1');
  await host.texts('1', { session: 'other' });
  const before = await pids();
  for (let n = 0; n < 10; n++) await host.texts(`text(${n})`);
  assert.deepEqual(await pids(), before);
  await host.close();
});

test('a resting runner that dies is replaced before anybody meets it', async () => {
  const host = await V1Client.start();
  await host.texts('1');
  const runners = () => processesInGroup(host.pid).filter(isRunner);
  await eventually(() => runners().length === 3);
  // The host may not have heard of it yet when the next cell comes: no code of it has run, so it is started again.
  for (const pid of runners()) process.kill(pid, 'SIGKILL');
  assert.deepEqual(await host.texts('text("fresh")'), ['fresh']);
  await eventually(() => runners().length === 3);
  await host.close();
});

test('sessions with many different memory limits leave few runners behind', async () => {
  const host = await V1Client.start();
  for (let n = 1; n <= 20; n++) {
    await host.open(`limited-${n}`, { maxHeapSizeBytes: (64 + n) * 2 ** 20 });
    if (n % 2 === 0) await host.texts('text(1)', { session: `limited-${n}` });
    const id = host.nextId();
    const request = { method: 'session/shutdown', sessionId: `limited-${n}` } as const;
    host.send({ type: 'operation/request', id, request });
    await host.response(id);
  }
  await eventually(() => processesInGroup(host.pid).filter(isRunner).length <= 5);
  await host.close();
});

test('2,000 cells one after another are served by few processes', async () => {
  const host = await V1Client.start();
  for (let n = 0; n < 2000; n++) await host.run('1');
  assert.ok(processesInGroup(host.pid).length < 8);
  await host.close();
});

test('a host that is started by hand with a wrong argument says how it is used', async () => {
  const { hostProgram } = await import('../support/v1-client.js');
  const { spawnSync } = await import('node:child_process');
  const run = (...args: string[]) =>
    spawnSync(process.execPath, [hostProgram, ...args], { encoding: 'utf8', input: '' });
  assert.equal(run('--listen', 'zz').status, 1);
  assert.match(run('--listen', 'zz').stderr, /unsupported --listen URL `zz`; expected `stdio` or `stdio:\/\/`/);
  assert.equal(run('--nope').status, 2);
  assert.equal(run('--listen').status, 2);
  assert.equal(run('--listen', 'stdio').status, 0);
});

function isRunner(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('runner.cjs');
  } catch {
    return false;
  }
}
