import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { killAllHosts } from '../../src/process/live-groups.js';
import { ProcessGroup } from '../../src/process/process-group.js';
import { eventually, groupIsGone, isAlive, processesInGroup } from '../support/processes.js';
import { firstLine, startShell } from './hosts.js';

const killed = { code: null, signal: 'SIGKILL' };

test('a host leads a group of its own', async (context) => {
  const host = await startShell(context, 'sleep 30 & echo up; wait');
  await firstLine(host.stdout);
  assert.equal(processesInGroup(host.pid).length, 2);
  assert.ok(!processesInGroup(host.pid).includes(process.pid));
});

test('a kill reaches every member of the group', async (context) => {
  const host = await startShell(context, 'sh -c "sh -c \'sleep 30; :\' ; :" & echo up; sleep 30; :');
  await firstLine(host.stdout);
  await eventually(() => processesInGroup(host.pid).length >= 4);
  host.kill();
  assert.deepEqual(await host.exited, killed);
  await groupIsGone(host.pid);
});

test('a host that ignores SIGTERM, or was stopped, is killed at once', async (context) => {
  const deaf = await startShell(context, "trap '' TERM; echo up; while :; do sleep 1; done");
  await firstLine(deaf.stdout);
  deaf.kill();
  assert.deepEqual(await deaf.exited, killed);
  const stopped = await startShell(context, 'kill -STOP $$');
  stopped.kill();
  assert.deepEqual(await stopped.exited, killed);
});

test('a member that outlives its leader keeps neither the exit nor the disposal waiting, and is killed', async (context) => {
  const host = await startShell(context, 'sleep 30 & exit 7');
  assert.deepEqual(await host.exited, { code: 7, signal: null });
  assert.equal(processesInGroup(host.pid).length, 1, 'the exit was seen while the other one lives');
  assert.deepEqual(await host.dispose(), { code: 7, signal: null });
  await groupIsGone(host.pid);
});

test('a kill after the leader has gone reaches those it left behind', async (context) => {
  const host = await startShell(context, 'sleep 30 & exit 0');
  await host.exited;
  assert.equal(processesInGroup(host.pid).length, 1);
  host.kill();
  await groupIsGone(host.pid);
});

test('after the kill that follows the exit of its leader, a group is never signalled again', async () => {
  const child = spawn('/bin/sleep', ['30'], { detached: true, stdio: 'ignore' });
  const group = new ProcessGroup(child.pid!);
  const stranger = spawn('/bin/sleep', ['30'], { stdio: 'ignore' });
  const kill = process.kill;
  const calls: [number, unknown][] = [];
  process.kill = (target, signal) => {
    calls.push([target, signal]);
    return kill(target, signal);
  };
  try {
    const exited = once(child, 'exit');
    group.kill();
    group.kill();
    await exited;
    group.leaderHasExited();
    for (let i = 0; i < 3; i += 1) group.kill();
    group.killNow();
    killAllHosts();
    assert.deepEqual(calls, Array(3).fill([-child.pid!, 'SIGKILL']));
    assert.ok(isAlive(stranger.pid!));
  } finally {
    process.kill = kill;
    stranger.kill();
    await once(stranger, 'exit');
  }
});

// Runs the way of Windows here, where tree-kill asks `ps` instead of `taskkill`.
test('where there are no groups, the tree below the host is killed', { skip: !existsSync('/usr/bin/ps') }, async () => {
  const child = spawn('/bin/sh', ['-c', 'sleep 30 & echo up; sleep 30; :'], {
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const exited = once(child, 'exit');
  const group = new ProcessGroup(child.pid!, 'win32');
  await firstLine(child.stdout);
  group.kill();
  await exited;
  group.leaderHasExited();
  group.kill();
  await groupIsGone(child.pid!);
});

test('without the tool that kills a tree, its root is killed', async () => {
  const child = spawn('/bin/sleep', ['30'], { detached: true, stdio: 'ignore' });
  const exited = once(child, 'exit');
  const group = new ProcessGroup(child.pid!, 'win32');
  group.killNow();
  assert.deepEqual(await exited, [null, 'SIGKILL']);
  group.leaderHasExited();
  group.killNow();
});

test('an id that stands for more than one host is refused', () => {
  for (const id of [
    0,
    1,
    -1,
    -5,
    Number.NaN,
    1.5,
    Number.POSITIVE_INFINITY,
    process.pid,
    undefined as unknown as number,
  ]) {
    assert.throws(() => new ProcessGroup(id), RangeError);
  }
});

test('a kill that the system refuses throws nothing, and the leader is tried by itself', () => {
  const kill = process.kill;
  const targets: number[] = [];
  process.kill = (target) => {
    targets.push(target);
    throw Object.assign(new Error('not permitted'), { code: 'EPERM' });
  };
  try {
    const group = new ProcessGroup(999_999_999);
    group.kill();
    group.leaderHasExited();
    group.kill();
    assert.deepEqual(targets, [-999_999_999, 999_999_999, -999_999_999]);
  } finally {
    process.kill = kill;
  }
});

test('the exit handler is there as long as there is a host to kill', async (context) => {
  const before = process.listenerCount('exit');
  const first = await startShell(context, 'sleep 30');
  const second = await startShell(context, 'sleep 30');
  assert.equal(process.listenerCount('exit'), before + 1);
  await first.dispose();
  assert.equal(process.listenerCount('exit'), before + 1);
  await second.dispose();
  assert.equal(process.listenerCount('exit'), before);
});

test('twenty hosts in a row leave nothing behind', async (context) => {
  const before = process.listenerCount('exit');
  for (let i = 0; i < 20; i += 1) {
    const host = await startShell(context, 'sleep 30 & exit 3');
    await host.exited;
    await host.dispose();
    await groupIsGone(host.pid);
  }
  assert.equal(process.listenerCount('exit'), before);
});
