import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serve, startParams, uri } from './peer.js';

const brief = ({ code, message }: { code: number; message: string }): [number, string] => [code, message];

test('initialize gives a session and says what the server is', async (t) => {
  const peer = serve(t).connect();
  const result = await peer.result('initialize', { clientName: '', zzz: 1 });
  assert.match(result.sessionId!, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.equal(result.protocolVersion, 'exec-server.v0');
  peer.send({ method: 'initialized' });
  assert.deepEqual(await peer.result('environment/info', null), result.environmentInfo);
  assert.deepEqual(await peer.result('environment/status'), { status: 'ready' });
});

test('a failed initialize may be followed by a good one, a good one by none', async (t) => {
  const peer = serve(t).connect();
  assert.deepEqual(brief(await peer.error('initialize', {})), [-32602, 'missing field `clientName`']);
  assert.equal((await peer.error('initialize')).code, -32602);
  assert.deepEqual(brief(await peer.error('initialize', { clientName: 'x', resumeSessionId: 'nope' })), [
    -32600,
    'unknown session id nope',
  ]);
  await peer.handshake();
  assert.equal((await peer.error('initialize', {})).code, -32602, 'bad params win');
  assert.deepEqual(brief(await peer.error('initialize', { clientName: 'x' })), [
    -32600,
    'initialize may only be sent once per connection',
  ]);
  await peer.result('fs/getMetadata', { path: uri('/') });
});

test('everything else waits for both halves of the handshake', async (t) => {
  const peer = serve(t).connect();
  const start = startParams('a', ['true']);
  assert.equal(
    (await peer.error('process/start', start)).message,
    'client must call initialize before using exec methods',
  );
  assert.equal((await peer.error('process/start', {})).code, -32602, 'bad params win');
  assert.equal((await peer.error('zzz')).code, -32601, 'an unknown method too');
  await peer.result('initialize', { clientName: 'x' });
  const { message } = await peer.error('fs/readFile', { path: uri('/x') });
  assert.equal(message, 'client must send initialized before using filesystem methods');
  assert.deepEqual(brief(await peer.error('initialized', {})), [
    -32601,
    'exec-server stub does not implement `initialized` yet',
  ]);
  assert.match((await peer.error('environment/info')).message, /before using environment info methods/);
});

test('the handshake may be sent in one go with the first request, and initialized twice with any params', async (t) => {
  for (const params of [undefined, null, [], 'x', 3, { a: 1 }]) {
    const peer = serve(t).connect();
    peer.send({ id: 'i', method: 'initialize', params: { clientName: 'x' } });
    peer.send({ method: 'initialized', params });
    peer.send({ method: 'initialized', params });
    assert.ok((await peer.result('fs/getMetadata', { path: uri('/') })).isDirectory);
  }
});

test('a notification out of place ends the connection, and nothing behind it is answered', async (t) => {
  const { connect, ready } = serve(t);
  const early = connect();
  early.send({ method: 'initialized' });
  early.send({ id: 1, method: 'zzz' });
  await early.end();
  assert.deepEqual(early.messages, []);
  for (const message of [{ method: 'zzz' }, { method: 'initialize', params: {} }, { id: 5, result: {} }]) {
    const peer = await ready();
    const before = peer.messages.length;
    peer.send(message);
    peer.send({ id: 77, method: 'zzz' });
    await peer.end();
    assert.equal(peer.messages.length, before);
  }
});

test('with a token, a client may try three times', async (t) => {
  const { connect } = serve(t, { authToken: 'right' });
  const peer = connect();
  assert.deepEqual(brief(await peer.error('initialize', { clientName: 'x' })), [
    -32001,
    'invalid exec-server auth token',
  ]);
  assert.equal((await peer.error('initialize', { clientName: 'x', authToken: 'wrong' })).code, -32001);
  await peer.result('initialize', { clientName: 'x', authToken: 'right' });
  const other = connect();
  for (let attempt = 0; attempt < 3; attempt += 1) {
    assert.equal((await other.error('initialize', { clientName: 'x', authToken: 1 })).code, -32001);
  }
  await other.end();
});

test('a resumable connection that does not finish its handshake is closed', async (t) => {
  const { server } = serve(t);
  const { memoryChannels, RpcConnection } = await import('../../../src/exec-server/connection/index.js');
  const { Peer } = await import('./peer.js');
  const [ours, theirs] = memoryChannels();
  const made = new RpcConnection(
    theirs,
    (connection) => server.handle(connection, { resumable: true, handshakeLimitMs: 30 }),
    server.connectionOptions,
  );
  const peer = new Peer(ours);
  await peer.result('initialize', { clientName: 'x' });
  await peer.end();
  assert.match(String(made.signal.reason), /handshake took longer than 30 ms/);
});
