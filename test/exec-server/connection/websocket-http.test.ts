import assert from 'node:assert/strict';
import { Agent } from 'node:http';
import { constants } from 'node:os';
import { test } from 'node:test';
import { listenWebSocket } from '../../../src/exec-server/connection/index.js';
import { isLoopbackAddress } from '../../../src/exec-server/connection/upgrade-rules.js';
import { ask, startFront, upgradeHeaders, WebSocketPeer } from './websocket-peer.js';

const brief = async (answer: ReturnType<typeof ask>) => {
  const { status, body } = await answer;
  return [status, body];
};

test('requests without upgrade are answered as the reference does', async (t) => {
  const { listener } = await startFront(t);
  for (const path of ['/', '/?x=1']) {
    assert.deepEqual(await brief(ask(listener, path)), [400, "Connection header did not include 'upgrade'"]);
  }
  assert.deepEqual(await brief(ask(listener, '/', {}, 'POST')), [405, 'Request method must be `GET`']);
  for (const path of ['/healthz', '/livez', '/nope']) assert.deepEqual(await brief(ask(listener, path)), [404, '']);
  for (const method of ['GET', 'HEAD'])
    assert.deepEqual(await brief(ask(listener, '/readyz?x=1', {}, method)), [200, '']);
  const refused = await ask(listener, '/readyz', {}, 'POST');
  assert.deepEqual([refused.status, refused.body, refused.headers.allow], [405, '', 'GET,HEAD']);
});

test('an upgrade is refused by path, version and key', async (t) => {
  const { listener } = await startFront(t);
  assert.deepEqual(await brief(ask(listener, '/', upgradeHeaders)), [101, '']);
  assert.deepEqual(await brief(ask(listener, '/?token=x', upgradeHeaders)), [101, '']);
  assert.deepEqual(await brief(ask(listener, '/other', upgradeHeaders)), [404, '']);
  assert.deepEqual(await brief(ask(listener, '/readyz', upgradeHeaders)), [200, '']);
  const { 'sec-websocket-key': _, ...keyless } = upgradeHeaders;
  assert.deepEqual(await brief(ask(listener, '/', keyless)), [400, '`Sec-WebSocket-Key` header missing']);
  const old = { ...upgradeHeaders, 'sec-websocket-version': '8' };
  assert.deepEqual(await brief(ask(listener, '/', old)), [400, "`Sec-WebSocket-Version` header did not include '13'"]);
  assert.equal((await ask(listener, '/', { ...upgradeHeaders, upgrade: 'h2c' })).status, 400);
});

test('a refused upgrade leaves a connection on which HTTP goes on', async (t) => {
  const { listener } = await startFront(t);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  t.after(() => agent.destroy());
  for (let again = 0; again < 3; again++) {
    assert.equal((await ask(listener, '/other', upgradeHeaders, 'GET', agent)).status, 404);
    assert.deepEqual(await brief(ask(listener, '/', {}, 'GET', agent)), [
      400,
      "Connection header did not include 'upgrade'",
    ]);
  }
});

test('whatever carries an Origin is refused, also a look at readiness', async (t) => {
  const { listener } = await startFront(t);
  for (const origin of ['http://127.0.0.1', 'null', '']) {
    assert.deepEqual(await brief(ask(listener, '/', { ...upgradeHeaders, origin })), [403, '']);
    assert.deepEqual(await brief(ask(listener, '/readyz', { origin })), [403, '']);
  }
});

test('on a loopback address a foreign Host is refused', async (t) => {
  const { listener, served } = await startFront(t);
  for (const host of [
    'evil.example',
    'evil.example:80',
    '127.0.0.1.evil.example',
    '10.0.0.1',
    '[::2]',
    'localhost.evil',
  ]) {
    assert.deepEqual(await brief(ask(listener, '/', { ...upgradeHeaders, host })), [403, ''], host);
    assert.deepEqual(await brief(ask(listener, '/readyz', { host })), [403, ''], host);
  }
  assert.equal(served.length, 0);
  for (const host of ['localhost', 'LOCALHOST:1', '127.0.0.1:9', '127.1.2.3', '[::1]:80', '[::1]']) {
    assert.deepEqual(await brief(ask(listener, '/', { ...upgradeHeaders, host })), [101, ''], host);
  }
});

test('loopback addresses are known in every spelling', () => {
  for (const address of ['127.0.0.1', '127.255.0.9', '::1', '::ffff:127.0.0.1']) assert.ok(isLoopbackAddress(address));
  for (const address of ['0.0.0.0', '::', '10.0.0.1', '128.0.0.1', '127.example'])
    assert.ok(!isLoopbackAddress(address));
});

test('the answer to an upgrade offers no protocol and no compression', async (t) => {
  const { listener } = await startFront(t);
  const offer = { 'sec-websocket-protocol': 'chat', 'sec-websocket-extensions': 'permessage-deflate' };
  const { status, headers } = await ask(listener, '/', { ...upgradeHeaders, ...offer });
  assert.equal(status, 101);
  assert.deepEqual(Object.keys(headers).sort(), ['connection', 'sec-websocket-accept', 'upgrade']);
});

test('the URL has the real port, and an address that can not be had is refused by name', async (t) => {
  const { listener } = await startFront(t);
  assert.equal(listener.url, `ws://127.0.0.1:${listener.port}`);
  assert.equal(listener.loopback, true);
  const again = { host: '127.0.0.1', port: listener.port, auth: { mode: 'none' }, onConnection: () => {} } as const;
  await assert.rejects(listenWebSocket(again), {
    code: 'connect-failed',
    message: `cannot listen on ${listener.url}: Address in use (os error ${constants.errno.EADDRINUSE})`,
  });
  // Set aside for documents: nobody has it.
  await assert.rejects(listenWebSocket({ ...again, host: '192.0.2.1', port: 80 }), {
    code: 'connect-failed',
    message: 'cannot listen on ws://192.0.2.1:80: this machine does not have the address',
    data: { host: '192.0.2.1', port: 80 },
  });
});

test('too many sockets are turned away before they say anything', async (t) => {
  const { listener } = await startFront(t, { fine: () => 1 }, { maxSockets: 2 });
  const peers = [await WebSocketPeer.open(t, listener.url), await WebSocketPeer.open(t, listener.url)];
  await assert.rejects(ask(listener, '/readyz'));
  peers[0]?.say({ id: 1, method: 'fine' });
  assert.deepEqual(await peers[0]?.next(), { id: 1, result: 1 });
});

test('after close nobody gets in, and open channels live on', async (t) => {
  const { listener } = await startFront(t, { fine: () => 1 });
  const peer = await WebSocketPeer.open(t, listener.url);
  await listener.close();
  await assert.rejects(ask(listener, '/readyz'));
  peer.say({ id: 1, method: 'fine' });
  assert.deepEqual(await peer.next(), { id: 1, result: 1 });
});

test('one connection may be refused its upgrade many times, and leaves nothing behind each time', async (t) => {
  const { listener } = await startFront(t, {}, { auth: { mode: 'token', digest: Buffer.alloc(32) } });
  const warnings: Error[] = [];
  const note = (warning: Error): void => {
    warnings.push(warning);
  };
  process.on('warning', note);
  t.after(() => process.off('warning', note));
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  t.after(() => agent.destroy());
  for (let time = 0; time < 15; time++) {
    assert.equal((await ask(listener, '/', upgradeHeaders, 'GET', agent)).status, 401);
  }
  await new Promise((resolve) => setImmediate(resolve)); // warnings come a turn later
  assert.deepEqual(warnings, []);
});
