import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { eventually } from '../../support/processes.js';
import { turns } from '../connection/raw-peer.js';
import { type Peer, type Result, serve, sh } from './peer.js';

/** Says what it is told, line by line, and exits after so many. */
const echoes = (count: number): string[] =>
  sh(`i=0; while [ $i -lt ${count} ]; do read -r l; echo "$l"; i=$((i+1)); done`);
const read = (peer: Peer, processId: string, more: object = {}): Promise<Result> =>
  peer.result('process/read', { processId, ...more });
const seqs = ({ chunks }: Result): number[] => (chunks ?? []).map(({ seq }) => seq);

/** Everything that is ready to be done is done before a time passes, and after it. */
async function onStoppedClock(t: TestContext, work: (pass: (ms: number) => Promise<void>) => Promise<void>) {
  let now = Math.ceil(performance.now());
  const clock = t.mock.method(performance, 'now', () => now);
  t.mock.timers.enable({ apis: ['setTimeout'] });
  try {
    await work(async (ms) => {
      await turns();
      now += ms;
      t.mock.timers.tick(ms);
      await turns();
    });
  } finally {
    t.mock.timers.reset();
    clock.mock.restore();
  }
}

/** Five lines, one chunk each: numbers 1 to 5, then exit and close. */
async function fiveLines(peer: Peer): Promise<void> {
  await peer.start('five', echoes(5), { pipeStdin: true });
  for (let n = 1; n <= 5; n++) {
    const chunk = Buffer.from(`line${n}\n`).toString('base64');
    await peer.result('process/write', { processId: 'five', chunk, writeId: String(n) });
    // The next one is said when this one was heard, so that they cannot come as one.
    await eventually(() => peer.events('five').length >= n);
  }
  await peer.closed('five');
  assert.deepEqual(
    peer.events('five').map(({ params }) => params?.seq),
    [1, 2, 3, 4, 5, 6, 7],
    'each line came as a chunk of its own',
  );
}

test('a page has the members of the wire, in their order', async (t) => {
  const peer = await serve(t).ready();
  await fiveLines(peer);
  const page = await read(peer, 'five');
  const members = ['chunks', 'nextSeq', 'exited', 'exitCode', 'closed', 'failure', 'sandboxDenied'];
  assert.deepEqual(Object.keys(page), members);
  assert.deepEqual(page.chunks![0], { seq: 1, stream: 'stdout', chunk: 'bGluZTEK' });
  assert.deepEqual(
    { ...page, chunks: [] },
    {
      chunks: [],
      nextSeq: 8,
      exited: true,
      exitCode: 0,
      closed: true,
      failure: null,
      sandboxDenied: false,
    },
  );
  assert.deepEqual(await read(peer, 'five'), page, 'reading takes nothing away');
});

test('limits and cursors page through the output, and a page in the middle tells the end', async (t) => {
  const peer = await serve(t).ready();
  await fiveLines(peer);
  for (const maxBytes of [0, 1, 6, 7]) assert.deepEqual(seqs(await read(peer, 'five', { maxBytes })), [1]);
  const middle = await read(peer, 'five', { maxBytes: 12 });
  assert.deepEqual([seqs(middle), middle.nextSeq, middle.exited, middle.closed], [[1, 2], 3, true, true]);
  const visited: number[] = [];
  for (let afterSeq = 0; ; ) {
    const page = await read(peer, 'five', { afterSeq, maxBytes: 6 });
    visited.push(...seqs(page));
    afterSeq = page.nextSeq! - 1;
    if (seqs(page).length === 0) break;
  }
  assert.deepEqual(visited, [1, 2, 3, 4, 5]);
  assert.deepEqual([seqs(await read(peer, 'five', { afterSeq: 100 })), (await read(peer, 'five')).nextSeq], [[], 8]);
});

test('numbers that are none, and processes that are unknown, are refused at once', async (t) => {
  const peer = await serve(t).ready();
  for (const bad of [{ afterSeq: -1 }, { waitMs: 1.5 }, { maxBytes: '1' }]) {
    assert.equal((await peer.error('process/read', { processId: 'x', ...bad })).code, -32602);
  }
  const { code, message } = await peer.error('process/read', { processId: 'no-such', waitMs: 10_000 });
  assert.deepEqual([code, message], [-32600, 'unknown process id no-such']);
});

test('a read waits for silence to end: by output, by an exit, by its own time', async (t) => {
  const peer = await serve(t).ready();
  await peer.start('cat', ['cat'], { pipeStdin: true });
  await onStoppedClock(t, async (pass) => {
    let page: Result | undefined;
    void read(peer, 'cat', { waitMs: 80 }).then((result) => {
      page = result;
    });
    await pass(79);
    assert.equal(page, undefined);
    await pass(1);
    assert.deepEqual(page && seqs(page), []);
  });
  const waiting = [1, 2].map(() => read(peer, 'cat', { waitMs: Number.MAX_SAFE_INTEGER }));
  await peer.result('process/write', { processId: 'cat', chunk: 'YQo=', writeId: '1' });
  for (const page of await Promise.all(waiting)) assert.deepEqual(seqs(page), [1], 'both readers are woken');
  const last = read(peer, 'cat', { afterSeq: 1, waitMs: 60_000 });
  await peer.result('process/terminate', { processId: 'cat' });
  assert.equal((await last).exited, true);
});

test('behind the exit a read waits for the end of the streams, behind the end for nothing', async (t) => {
  const peer = await serve(t).ready();
  // What it leaves in the background holds the output until it is killed.
  await peer.start('bg', sh('sleep 60 & exit 0'));
  await peer.seen('process/exited', 'bg');
  const first = await read(peer, 'bg', { waitMs: 60_000 });
  assert.deepEqual([first.exited, first.closed, first.nextSeq], [true, false, 2]);
  const second = read(peer, 'bg', { afterSeq: 1, waitMs: 60_000 });
  assert.deepEqual(await peer.result('process/terminate', { processId: 'bg' }), { running: false });
  assert.equal((await second).closed, true);
  assert.equal((await read(peer, 'bg', { afterSeq: 1_000, waitMs: 60_000 })).closed, true);
});

test('a waiting read holds up nobody', async (t) => {
  const peer = await serve(t).ready();
  await peer.start('s', ['sleep', '60']);
  const waiting = read(peer, 's', { waitMs: 60_000 });
  await peer.result('environment/status');
  assert.deepEqual(await peer.result('process/terminate', { processId: 's' }), { running: true });
  assert.equal((await waiting).exited, true);
});

test('with one request at a time a waiting read holds up the next, but not what ends it', async (t) => {
  const peer = await serve(t, { concurrentRequests: 1 }).ready();
  await peer.start('s', ['sleep', '60']);
  const waiting = read(peer, 's', { waitMs: 60_000 });
  const metadata = peer.result('fs/getMetadata', { path: 'file:///' });
  assert.deepEqual(await peer.result('process/terminate', { processId: 's' }), { running: true });
  await Promise.all([waiting, metadata]);
  const answers = peer.messages.filter(({ result }) => result !== undefined).slice(-3);
  assert.deepEqual(
    answers.map(({ result }) => Object.keys(result ?? {})[0]),
    ['running', 'chunks', 'isDirectory'],
  );
});

test('beyond 1 MiB the oldest output is gone, everybody was told all of it, and a late reader is told of the loss', async (t) => {
  const peer = await serve(t).ready();
  await peer.start('big', sh('head -c 3000000 /dev/zero'));
  await peer.closed('big');
  assert.equal(peer.output('big').length, 3_000_000);
  const page = await read(peer, 'big');
  const kept = page.chunks!.reduce((sum, { chunk }) => sum + Buffer.from(chunk, 'base64').length, 0);
  assert.ok(kept <= 1_048_576 && kept > 1_048_576 - 8_192, `${kept}`);
  assert.equal(page.droppedBytes, 3_000_000 - kept);
  assert.equal(page.firstSeq, page.chunks![0]!.seq);
  assert.equal(page.truncated, true);
  assert.equal(page.failure, null);
  const late = await read(peer, 'big', { afterSeq: page.firstSeq });
  assert.equal(late.truncated, undefined, 'which lost nothing');
  const sizes = peer.events('big').map(({ params }) => Buffer.from(params?.chunk ?? '', 'base64').length);
  assert.ok(Math.max(...sizes) <= 8_192);
});

test('bytes that are no text arrive as they are', async (t) => {
  const peer = await serve(t).ready();
  await peer.start('bin', sh(`printf '\\377\\376\\000\\001'`));
  await peer.closed('bin');
  assert.equal((await read(peer, 'bin')).chunks![0]!.chunk, '//4AAQ==');
});
