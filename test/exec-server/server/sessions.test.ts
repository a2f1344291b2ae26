import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { eventually } from '../../support/processes.js';
import { turns } from '../connection/raw-peer.js';
import { type Peer, type Served, serve, sh, startParams, temporaryFolder, uri } from './peer.js';
import { killSleepers, sleepers, uniqueSeconds } from './trees.js';

async function open(served: Served): Promise<{ peer: Peer; session: string }> {
  const peer = served.connect(true);
  return { peer, session: await peer.handshake() };
}

async function resume(served: Served, resumeSessionId: string): Promise<Peer> {
  const peer = served.connect(true);
  await eventually(async () => {
    // The end of the other connection may be noticed a turn later.
    const { result } = await peer.ask('initialize', { clientName: 'test', resumeSessionId });
    return result !== undefined;
  });
  peer.send({ method: 'initialized' });
  return peer;
}

test('a session outlives its connection: output produced meanwhile can be read, later events arrive', async (t) => {
  const served = serve(t);
  const { peer, session } = await open(served);
  await peer.start('a', sh('while read -r line; do echo "$line"; done'), { pipeStdin: true });
  await peer.result('process/write', { processId: 'a', chunk: 'b25lCg==', writeId: 'k' });
  await peer.printed('a', /one/);
  await peer.leave();
  const again = await resume(served, session);
  const page = await again.result('process/read', { processId: 'a', afterSeq: 0 });
  assert.deepEqual(
    page.chunks?.map(({ seq }) => seq),
    [1],
  );
  assert.equal(
    (await again.ask('process/start', startParams('a', ['true']))).error?.message,
    'process a already exists',
  );
  await again.result('process/write', { processId: 'a', chunk: 'b25lCg==', writeId: 'k' });
  await again.result('process/write', { processId: 'a', chunk: 'dHdvCg==', writeId: 'l', eof: true });
  await again.closed('a');
  assert.equal(again.output('a'), 'two\n', 'a repeated write id is remembered');
  assert.deepEqual(
    again.events('a').map(({ method, params }) => `${method?.slice(8)}${params?.seq}`),
    ['output2', 'exited3', 'closed4'],
  );
});

test('a resumed connection gets events before it has said initialized, and answers to nothing else', async (t) => {
  const served = serve(t);
  const { peer, session } = await open(served);
  await peer.start('a', sh('while :; do echo x; sleep 0.02; done'));
  await peer.leave();
  const again = served.connect(true);
  await eventually(async () => {
    const params = { clientName: 'test', resumeSessionId: session };
    return (await again.ask('initialize', params)).result?.sessionId === session;
  });
  await again.seen('process/output', 'a');
  assert.match((await again.error('process/read', { processId: 'a' })).message, /must send initialized/);
});

test('file handles end with their connection', async (t) => {
  const served = serve(t);
  const file = join(await temporaryFolder(t), 'f');
  await writeFile(file, 'x');
  const { peer, session } = await open(served);
  await peer.result('fs/open', { handleId: 'h', path: uri(file) });
  await peer.leave();
  const again = await resume(served, session);
  const { code } = await again.error('fs/readBlock', { handleId: 'h', offset: 0, len: 1 });
  assert.equal(code, -32004);
});

test('a session that is in use can not be taken, and its user notices nothing', async (t) => {
  const served = serve(t);
  const { peer, session } = await open(served);
  const thief = served.connect(true);
  const { code, message } = await thief.error('initialize', { clientName: 'x', resumeSessionId: session });
  assert.deepEqual([code, message], [-32010, `session ${session} is already attached to another connection`]);
  await peer.result('environment/status');
  await thief.handshake();
});

test('a waiting read is dropped with its connection', async (t) => {
  const served = serve(t);
  const { peer, session } = await open(served);
  await peer.start('a', ['sleep', '60']);
  peer.send({ id: 'poll', method: 'process/read', params: { processId: 'a', waitMs: 60_000 } });
  await peer.leave();
  await turns();
  // A connection on which something is under way is not over.
  assert.equal(served.connections[0]?.signal.aborted, true);
  await resume(served, session);
});

test('a session nobody comes back for ends with everything in it', async (t) => {
  const seconds = uniqueSeconds();
  t.after(() => killSleepers(seconds));
  const served = serve(t, { detachedTtlMs: 50 });
  const { peer, session } = await open(served);
  await peer.start('a', ['sleep', seconds]);
  await peer.leave();
  await eventually(() => sleepers(seconds).length === 0);
  const late = served.connect(true);
  const { message } = await late.error('initialize', { clientName: 'x', resumeSessionId: session });
  assert.equal(message, `unknown session id ${session}`);
});

test('without a time to come back, or over a pipe, everything ends with the connection', async (t) => {
  for (const [options, resumable] of [
    [{ detachedTtlMs: 0 }, true],
    [{}, false],
  ] as const) {
    const seconds = uniqueSeconds();
    t.after(() => killSleepers(seconds));
    const peer = serve(t, options).connect(resumable);
    await peer.handshake();
    await peer.start('a', ['sleep', seconds]);
    await peer.leave();
    await eventually(() => sleepers(seconds).length === 0);
  }
});

test('a start under way when its connection is lost runs in the session', async (t) => {
  const served = serve(t);
  const { peer, session } = await open(served);
  peer.send({ id: 'late', method: 'process/start', params: startParams('late', sh('echo hi')) });
  // It has arrived, as what came behind it is answered, and takes longer than that.
  await peer.result('environment/status');
  await peer.leave();
  const again = await resume(served, session);
  const { exited, chunks } = await again.result('process/read', { processId: 'late', waitMs: 5_000 });
  assert.ok(exited === true || chunks?.length === 1);
  await eventually(async () => (await again.result('process/read', { processId: 'late' })).closed === true);
});

test('a time to come back that is longer than a timer can be is no time that is over at once', async (t) => {
  const served = serve(t, { detachedTtlMs: 2 ** 31 + 5 });
  const { peer, session } = await open(served);
  await peer.leave();
  await turns();
  // Node makes one millisecond of what it can not count: that is over before another millisecond that begins later.
  await new Promise((resolve) => setTimeout(resolve, 1));
  await resume(served, session);
});

test('a server that is closed opens no session', async (t) => {
  const served = serve(t);
  const peer = served.connect();
  served.server.close();
  assert.match((await peer.error('initialize', { clientName: 'x' })).message, /shutting down/);
});
