import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Launcher } from '../../../src/exec-server/server/launcher.js';
import { type ProcessLimits, ProcessTable } from '../../../src/exec-server/server/process-table.js';
import type { WriteWait } from '../../../src/exec-server/server/stdin-wait.js';
import type { StartParams } from '../../../src/exec-server/wire/index.js';
import { eventually } from '../../support/processes.js';
import { turns } from '../connection/raw-peer.js';
import { sh, startParams } from './peer.js';
import { inheriting, killSleepers, sleepers, uniqueSeconds } from './trees.js';

const linux = process.platform === 'linux' ? {} : { skip: 'needs /proc' };
const withEnd = new AbortController().signal;
const now = (): undefined => undefined;

function table(t: TestContext, limits: Partial<ProcessLimits> = {}) {
  const launcher = new Launcher({ environment: process.env, paths: { acceptNative: false }, marks: true });
  const processes = new ProcessTable(launcher, () => {}, limits);
  t.after(() => {
    processes.end();
    launcher.close();
  });
  const start = async (id: string, argv: readonly string[], more: object = {}): Promise<void> => {
    const started = await processes.start(startParams(id, argv, more) as StartParams);
    started.announce();
  };
  const read = (processId: string) => processes.read({ processId, waitMs: 0 }, [withEnd], now as never);
  const closed = (id: string): Promise<void> => eventually(async () => (await read(id)).closed === true);
  const write = (processId: string, bytes: number, writeId: string, wait: Partial<WriteWait> & { eof?: true } = {}) =>
    processes.write(
      { processId, chunk: Buffer.alloc(bytes, 'a').toString('base64'), writeId, eof: wait.eof === true },
      { over: [withEnd], crowded: withEnd, moved: now, ...wait },
    );
  return { launcher, processes, start, read, closed, write };
}

test('no more processes run at once than the limit says, and one that has ended makes room', async (t) => {
  const { start, closed } = table(t, { running: 2 });
  await start('a', ['cat'], { pipeStdin: true });
  await start('b', ['true']);
  await closed('b');
  await start('c', ['cat'], { pipeStdin: true });
  await assert.rejects(start('d', ['true']), /2/);
});

test('of processes that have ended the latest are kept, by number and by what their output takes', async (t) => {
  const many = table(t, { ended: 2 });
  for (const id of ['a', 'b', 'c']) {
    await many.start(id, ['true']);
    await many.closed(id);
  }
  await assert.rejects(many.read('a'), /unknown process id a/);
  await many.read('b');
  const large = table(t, { endedBytes: 100_000 });
  for (const id of ['a', 'b']) {
    await large.start(id, sh('head -c 80000 /dev/zero'));
    await large.closed(id);
  }
  await assert.rejects(large.read('a'), /unknown process id a/);
  assert.ok((await large.read('b')).chunks.length > 0);
});

test('above a limit a write is answered only when something moves, far above it none is taken', async (t) => {
  const { processes, start, write } = table(t, { stdinHighBytes: 100_000, stdinBytes: 700_000 });
  await start('deaf', ['sleep', '60'], { pipeStdin: true });
  assert.equal(await write('deaf', 100_000, '1'), 'accepted');
  let answered = false;
  const waiting = write('deaf', 500_000, '2').finally(() => {
    answered = true;
  });
  await assert.rejects(write('deaf', 200_000, '3'), { data: { kind: 'stdinFull' } });
  await turns(20);
  assert.equal(answered, false);
  processes.terminate({ processId: 'deaf' });
  assert.equal(await waiting, 'accepted');
});

test('when others wait, a write to a child that does not read is answered, and its bytes count once', async (t) => {
  const { start, write } = table(t, { stdinHighBytes: 100_000, stdinBytes: 500_000, stdinQuietMs: 0 });
  await start('deaf', ['sleep', '60'], { pipeStdin: true });
  const crowd = new AbortController();
  const waiting = write('deaf', 500_000, '1', { crowded: crowd.signal });
  crowd.abort();
  assert.equal(await waiting, 'accepted');
  assert.equal(await write('deaf', 500_000, '1'), 'accepted');
  await assert.rejects(write('deaf', 100_000, '2'), /process deaf to read its stdin: the limit is 500000 bytes/);
});

test('when others wait, a child that reads is waited for all the same, and tells that it does', async (t) => {
  const { processes, start, write } = table(t, { stdinHighBytes: 0, stdinQuietMs: 3_600_000 });
  await start('slow', sh('head -c 100000 > /dev/null; exec sleep 60'), { pipeStdin: true });
  let [answered, moves] = [false, 0];
  const wait = { crowded: AbortSignal.abort(), moved: () => moves++ };
  const waiting = write('slow', 1_000_000, '1', wait).finally(() => {
    answered = true;
  });
  await eventually(() => moves > 0);
  await turns(20);
  assert.equal(answered, false);
  await start('reads', sh('cat > /dev/null'), { pipeStdin: true });
  assert.equal(await write('reads', 1_000_000, '1', wait), 'accepted');
  processes.terminate({ processId: 'slow' });
  assert.equal(await waiting, 'accepted');
});

test('writes to all children together are bounded, and one that reads is written to all the same', async (t) => {
  const limits = { stdinHighBytes: 100_000, allStdinBytes: 400_000, stdinWriteBytes: 150_000, stdinQuietMs: 0 };
  const { start, write } = table(t, limits);
  const wait = { crowded: AbortSignal.abort() };
  for (const id of ['a', 'b', 'c']) await start(id, ['sleep', '60'], { pipeStdin: true });
  assert.equal(await write('a', 300_000, '1', wait), 'accepted');
  const full = /process b to read its stdin: the limit is 100000 bytes/;
  await assert.rejects(write('b', 300_000, '1', wait), full, 'what is to be written counts');
  assert.equal(await write('b', 99_000, '2', wait), 'accepted', 'so much each may have');
  assert.equal(await write('b', 150_000, '3', wait), 'accepted', 'and one write of this size more');
  await assert.rejects(write('b', 1, '4', wait), full);
  assert.equal(await write('c', 1, '1', wait), 'accepted');
});

test('what is behind the end of stdin counts, is waited for, and keeps nobody from closing a full one', async (t) => {
  const limits = { stdinHighBytes: 100_000, stdinBytes: 400_000, allStdinBytes: 400_000, stdinWriteBytes: 0 };
  const { processes, start, write } = table(t, limits);
  for (const id of ['a', 'b', 'c']) await start(id, ['sleep', '60'], { pipeStdin: true });
  const answered: string[] = [];
  const first = write('a', 400_000, '1').finally(() => answered.push('write'));
  // More than all may have, as each may have so much.
  for (const id of ['b', 'c']) assert.equal(await write(id, 100_000, '1'), 'accepted');
  const waiting = [first, write('a', 0, '2', { eof: true }).finally(() => answered.push('end'))];
  await turns(20);
  assert.deepEqual(answered, []);
  assert.equal(await write('a', 1, '3'), 'stdinClosed');
  await assert.rejects(write('b', 300_000, '2', { eof: true }), { data: { kind: 'stdinFull' } });
  processes.terminate({ processId: 'a' });
  assert.deepEqual(await Promise.all(waiting), ['accepted', 'accepted']);
});

test(
  'a process that was forgotten is still ended with its session, by its mark, and kept no longer than it runs',
  linux,
  async (t) => {
    const seconds = uniqueSeconds();
    t.after(() => killSleepers(seconds));
    const { launcher, processes, start, closed } = table(t, { ended: 0 });
    // It leaves its session and its parents, and holds nothing of ours.
    const script = 'setsid sh -c "(sleep $0 < /dev/null > /dev/null 2>&1 &) ; :"';
    await start('daemon', ['/bin/sh', '-c', script, seconds], inheriting);
    for (const id of ['x', 'y', 'z']) await start(id, ['true'], inheriting);
    await eventually(() => launcher.keeper.size === 1);
    assert.equal(sleepers(seconds).length, 1);
    await assert.rejects(closed('daemon'), /unknown process/);
    processes.end();
    await eventually(() => sleepers(seconds).length === 0);
    assert.equal(launcher.keeper.size, 0);
  },
);

test('a launcher that is closed starts nothing, also not what is on its way, and leaves nothing', async (t) => {
  const { launcher, start } = table(t);
  const listeners = process.listenerCount('exit');
  const underWay = start('a', ['sleep', '60']);
  launcher.close();
  await assert.rejects(underWay, /shutting down/);
  await assert.rejects(start('b', ['true']), /shutting down/);
  assert.equal(launcher.keeper.size, 0);
  assert.equal(process.listenerCount('exit'), listeners);
});
