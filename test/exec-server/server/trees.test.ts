import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { MARK_NAME, type Mark } from '../../../src/exec-server/server/mark.js';
import { processAt } from '../../../src/exec-server/server/process-list.js';
import { killTrees, livingRoots } from '../../../src/exec-server/server/process-tree.js';
import { signalGroup, signalProcess } from '../../../src/exec-server/server/signals.js';
import { eventually, isAlive } from '../../support/processes.js';
import { PATH, type Peer, serve, sh, temporaryFolder } from './peer.js';
import { inheriting, killSleepers, sleepers, trees, uniqueSeconds } from './trees.js';

const linux = process.platform === 'linux' ? {} : { skip: 'needs /proc' };

async function startTree(peer: Peer, id: string, script: string, seconds: string, more: object): Promise<void> {
  await peer.start(id, ['/bin/sh', '-c', script, seconds], more);
  await peer.printed(id, /up/);
  await eventually(() => sleepers(seconds).length > 0);
}

for (const [name, script] of Object.entries(trees)) {
  test(`terminate ends all of a tree: ${name}`, linux, async (t) => {
    const seconds = uniqueSeconds();
    t.after(() => killSleepers(seconds));
    const peer = await serve(t).ready();
    await startTree(peer, 'tree', script, seconds, inheriting);
    const others = uniqueSeconds();
    t.after(() => killSleepers(others));
    await startTree(peer, 'other', trees.background!, others, inheriting);
    assert.deepEqual(await peer.result('process/terminate', { processId: 'tree' }), { running: true });
    await peer.closed('tree');
    await eventually(() => sleepers(seconds).length === 0);
    // One that is just becoming another program has no command line for a moment.
    await eventually(() => sleepers(others).length > 1);
    assert.equal(peer.events('tree').at(-2)?.params?.exitCode, 137);
  });

  test(`the end of a session ends all of a tree, also on a terminal: ${name}`, linux, async (t) => {
    const seconds = uniqueSeconds();
    t.after(() => killSleepers(seconds));
    const peer = await serve(t).ready();
    await startTree(peer, 'tree', `trap '' HUP; ${script}`, seconds, { ...inheriting, tty: true });
    await peer.leave();
    await eventually(() => sleepers(seconds).length === 0);
  });
}

for (const name of ['plain', 'background', 'setsid child']) {
  test(`without a mark parents and sessions lead to it: ${name}`, linux, async (t) => {
    const seconds = uniqueSeconds();
    t.after(() => killSleepers(seconds));
    const peer = await serve(t, { markProcesses: false }).ready();
    await startTree(peer, 'tree', trees[name]!, seconds, {});
    await peer.result('process/terminate', { processId: 'tree' });
    await eventually(() => sleepers(seconds).length === 0);
  });
}

test(
  'what a leader has left behind is ended by a late terminate, which leads to the end of its streams',
  linux,
  async (t) => {
    const seconds = uniqueSeconds();
    t.after(() => killSleepers(seconds));
    const peer = await serve(t).ready();
    await peer.start('left', ['/bin/sh', '-c', 'sleep "$0" & exit 3', seconds]);
    await peer.seen('process/exited', 'left');
    assert.equal(sleepers(seconds).length, 1);
    assert.deepEqual(await peer.result('process/terminate', { processId: 'left' }), { running: false });
    await peer.closed('left');
    await eventually(() => sleepers(seconds).length === 0);
  },
);

test('what was left behind without holding anything of ours ends with the session', linux, async (t) => {
  const seconds = uniqueSeconds();
  t.after(() => killSleepers(seconds));
  const peer = await serve(t).ready();
  await peer.start(
    'daemon',
    ['/bin/sh', '-c', 'setsid sleep "$0" > /dev/null 2>&1 < /dev/null & exit 0', seconds],
    inheriting,
  );
  await peer.closed('daemon');
  await eventually(() => sleepers(seconds).length === 1);
  await peer.leave();
  await eventually(() => sleepers(seconds).length === 0);
});

test('a child that traps everything is gone without seeing a signal, and its output before stays', async (t) => {
  const peer = await serve(t).ready();
  await peer.start('trap', sh('trap "echo seen" TERM HUP INT; echo before; while :; do sleep 0.05; done'));
  await peer.printed('trap', /before/);
  await peer.result('process/terminate', { processId: 'trap' });
  await peer.closed('trap');
  assert.equal(peer.output('trap'), 'before\n');
  assert.deepEqual(await peer.result('process/terminate', { processId: 'trap' }), { running: false });
  assert.deepEqual(await peer.result('process/terminate', { processId: 'nope' }), { running: false });
});

test('with time to end a child may say goodbye; one that does not want to is killed all the same', async (t) => {
  const peer = await serve(t).ready();
  await peer.start('kind', sh('trap "echo bye; exit 9" TERM; echo up; while :; do sleep 0.02; done'));
  await peer.start('deaf', sh('trap "" TERM; echo up; while :; do sleep 0.02; done'));
  // The deaf one is asked twice: the sooner time counts, and a later one does not put it off.
  const graceMs: Readonly<Record<string, number>> = { kind: 60_000, deaf: 100 };
  for (const id of ['kind', 'deaf']) {
    await peer.printed(id, /up/);
    if (id === 'deaf') await peer.result('process/terminate', { processId: id, graceMs: 60_000 });
    assert.deepEqual(await peer.result('process/terminate', { processId: id, graceMs: graceMs[id] }), {
      running: true,
    });
    await peer.closed(id);
  }
  assert.match(peer.output('kind'), /^up\n.*bye\n$/s);
  assert.equal(peer.events('deaf').at(-2)?.params?.exitCode, 137);
});

test('a number that was given to somebody else is not signalled', linux, async (t) => {
  const stranger = spawn('sleep', ['300'], { detached: true, stdio: 'ignore' });
  t.after(() => stranger.kill('SIGKILL'));
  const pid = stranger.pid!;
  const found = processAt(pid)!;
  assert.equal(signalProcess({ pid, start: `${Number(found.start) - 1}` }, 'SIGKILL'), false);
  assert.equal(signalGroup({ pid, start: '1' }, 'SIGKILL'), false);
  killTrees([{ leader: pid, start: `${Number(found.start) - 1}`, mark: undefined }]);
  assert.equal(isAlive(pid), true);
  for (const none of [0, 1, -1, process.pid]) {
    assert.equal(signalProcess({ pid: none, start: processAt(none)?.start ?? '0' }, 'SIGKILL'), false);
  }
  killTrees([{ leader: pid, start: found.start, mark: undefined }]);
  await once(stranger, 'exit');
});

/** Forks, leaves its session and its parents behind, and goes on so, until it is killed or the file is gone. */
const hop = '[ -e "$1" ] || exit; echo >> "$1"; setsid /bin/sh "$0" "$1" > /dev/null 2>&1 < /dev/null &';

for (const how of ['terminate', 'the end of the session'] as const) {
  test(`a process that hops from child to child does not get away: ${how}`, linux, async (t) => {
    const folder = await temporaryFolder(t);
    const [script, hops] = [join(folder, 'hop.sh'), join(folder, 'hops')];
    await writeFile(script, hop);
    await writeFile(hops, '');
    const peer = await serve(t).ready();
    await peer.start('hop', ['/bin/sh', '-c', '/bin/sh "$0" "$1"; exec sleep 60', script, hops], inheriting);
    await eventually(() => statSync(hops).size > 20);
    if (how === 'terminate') await peer.result('process/terminate', { processId: 'hop' });
    else await peer.leave();
    let before = -1;
    let quiet = 0;
    await eventually(() => {
      const { size } = statSync(hops);
      quiet = size === before ? quiet + 1 : 0;
      before = size;
      return quiet === 40;
    }, 20_000);
  });
}

test('each of many trees is told from the others, and from strangers, by what its members carry', linux, async (t) => {
  const children = Array.from({ length: 40 }, (_, index) => {
    const env = index < 30 ? { [MARK_NAME]: `here-${process.pid}:${index}` } : {};
    return spawn('sleep', ['300'], { detached: true, stdio: 'ignore', env: { PATH, ...env } });
  });
  t.after(() => {
    for (const child of children) child.kill('SIGKILL');
  });
  await Promise.all(children.map((child) => once(child, 'spawn')));
  // Their leaders are gone: only the mark leads to them.
  const roots = Array.from({ length: 50 }, (_, index) => ({
    leader: 0,
    start: '0',
    mark: { kind: 'variable', value: `here-${process.pid}:${index}` } satisfies Mark,
  }));
  assert.deepEqual(
    [...livingRoots(roots)].map(({ mark }) => mark?.value).sort(),
    roots
      .slice(0, 30)
      .map(({ mark }) => mark.value)
      .sort(),
  );
  const ended = children.slice(0, 10).map((child) => once(child, 'exit'));
  assert.equal(killTrees(roots.slice(0, 10)), 10);
  await Promise.all(ended);
  assert.equal(livingRoots(roots).size, 20);
});
