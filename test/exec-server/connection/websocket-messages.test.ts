import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { FrameSizeGuard } from '../../../src/exec-server/connection/frame-size-guard.js';
import { connectionClosed } from '../../../src/exec-server/connection/messages.js';
import { turns } from './raw-peer.js';
import { hangUpAfter, startFront, WebSocketPeer } from './websocket-peer.js';

const methods = { echo: (params: unknown) => params, size: (params: unknown) => JSON.stringify(params).length };

test('text and binary messages are read, and answers are text', async (t) => {
  const { listener } = await startFront(t, methods);
  const peer = await WebSocketPeer.open(t, listener.url);
  peer.say({ id: 1, method: 'echo', params: 'é' });
  peer.socket.send(Buffer.from('{"id":2,"method":"echo","params":"é"}'), { binary: true });
  peer.say(JSON.stringify({ id: 3, method: 'echo', params: 3 }, null, 1));
  for (const [id, result] of [
    [1, 'é'],
    [2, 'é'],
    [3, 3],
  ])
    assert.deepEqual(await peer.next(), { id, result });
  assert.deepEqual(new Set(peer.kinds), new Set(['text']));
});

test('a message in fragments is one message, also when a character is cut', async (t) => {
  const { listener } = await startFront(t, methods);
  const peer = await WebSocketPeer.open(t, listener.url);
  const bytes = Buffer.from('{"id":1,"method":"echo","params":"é😀"}');
  for (let at = 0; at < bytes.length; at++) {
    peer.socket.send(bytes.subarray(at, at + 1), { binary: false, fin: at === bytes.length - 1 });
  }
  assert.deepEqual(await peer.next(), { id: 1, result: 'é😀' });
});

test('a malformed message is answered with the address of its sender, and survived', async (t) => {
  const { listener } = await startFront(t, methods);
  const peer = await WebSocketPeer.open(t, listener.url);
  const { localPort } = (peer.socket as unknown as { _socket: { localPort: number } })._socket;
  const messages = [
    'garbage',
    '',
    ' ',
    '{"id":1,"method":"echo"}\n{"id":2,"method":"echo"}',
    Buffer.from('{"id":1,"method":"\xff"}', 'latin1'),
  ];
  for (const message of messages) {
    peer.socket.send(message);
    const { id, error } = await peer.next();
    const { code, message: text } = error as { code: number; message: string };
    assert.deepEqual([id, code], [-1, -32600]);
    const prefix = `failed to parse websocket JSON-RPC message from exec-server websocket 127.0.0.1:${localPort}: `;
    assert.ok(text.startsWith(prefix), text);
  }
  peer.say({ id: 5, method: 'echo', params: 5 });
  assert.deepEqual(await peer.next(), { id: 5, result: 5 });
});

test('a ping is answered with its payload, and a pong is ignored', async (t) => {
  const { listener } = await startFront(t, methods);
  const peer = await WebSocketPeer.open(t, listener.url);
  peer.socket.pong('unasked');
  peer.socket.ping('abc');
  const [payload] = (await once(peer.socket, 'pong')) as [Buffer];
  assert.equal(String(payload), 'abc');
});

test('the server pings, and drops a peer whose pongs stay away twice', async (t) => {
  const { listener, served } = await startFront(t, methods, { pingIntervalMs: 20 });
  const silent = await WebSocketPeer.open(t, listener.url, { autoPong: false });
  let pings = 0;
  silent.socket.on('ping', () => pings++);
  const { code } = await silent.closed;
  assert.equal(code, 1006);
  assert.equal(pings, 2);
  const reason = await served[0]?.closed;
  assert.match(reason?.message ?? '', /2 pings were not answered/);
});

test('a peer that answers pings stays', async (t) => {
  const { listener, served } = await startFront(t, methods, { pingIntervalMs: 10 });
  const peer = await WebSocketPeer.open(t, listener.url);
  for (let ping = 0; ping < 6; ping++) await once(peer.socket, 'ping');
  peer.say({ id: 1, method: 'echo', params: 1 });
  assert.deepEqual(await peer.next(), { id: 1, result: 1 });
  assert.equal(served[0]?.closings, 0);
});

test('a close is answered, and the end is orderly', async (t) => {
  for (const code of [1000, 1001]) {
    const { listener, served } = await startFront(t, methods);
    const peer = await WebSocketPeer.open(t, listener.url);
    peer.say({ id: 1, method: 'echo', params: 1 });
    peer.socket.close(code);
    assert.equal((await peer.closed).code, code);
    assert.equal(await served[0]?.closed, undefined);
    assert.deepEqual(served[0]?.started, ['echo']);
  }
});

test('a peer that vanishes is a lost connection with its code', async (t) => {
  const { listener, served } = await startFront(t, methods);
  const peer = await WebSocketPeer.open(t, listener.url);
  peer.say({ id: 1, method: 'echo' });
  await peer.next();
  peer.socket.terminate();
  const reason = await served[0]?.closed;
  assert.equal(reason?.code, 'connection-lost');
  assert.match(reason?.message ?? '', /code 1006|ECONNRESET/);
});

test('a protocol violation closes with 1002 and says why', async (t) => {
  const { listener } = await startFront(t, methods);
  const peer = await WebSocketPeer.open(t, listener.url);
  peer.say({ id: 9, result: {} });
  const { code, reason } = await peer.closed;
  assert.equal(code, 1002);
  assert.match(reason, /an answer arrived that nobody asked for/);
});

test('a server that closes a connection sends code and reason, shortened to what fits', async (t) => {
  const { listener, served } = await startFront(t, methods);
  const peer = await WebSocketPeer.open(t, listener.url);
  peer.say({ id: 1, method: 'echo' });
  await peer.next();
  await served[0]?.connection.close(connectionClosed(), 1001);
  assert.equal((await peer.closed).code, 1001);
  const other = await WebSocketPeer.open(t, listener.url);
  other.say({ id: 9, method: 'echo' });
  await other.next();
  other.say({ id: 'é'.repeat(1_000), result: {} });
  assert.equal((await other.closed).code, 1002);
});

test('bytes that WebSocket or UTF-8 do not allow end the connection', async (t) => {
  const { listener, served } = await startFront(t, methods);
  const masked = (...bytes: number[]) =>
    Buffer.from([...bytes.slice(0, 1), 0x80 | (bytes.length - 1), 0, 0, 0, 0, ...bytes.slice(1)]);
  await hangUpAfter(t, listener, masked(0x81, 0x22, 0xff, 0xfe, 0x22)); // text that is no UTF-8
  await hangUpAfter(t, listener, masked(0x83, 0x20)); // a reserved kind of frame
  await hangUpAfter(t, listener, Buffer.from([0x81, 0x01, 0x20])); // a frame that is not masked
  assert.equal(served.length, 3);
  for (const one of served) assert.ok((await one.closed) !== undefined);
});

const padded = (bytes: number): string => {
  const empty = JSON.stringify({ id: 41, method: 'size', params: '' });
  return empty.replace('""', `"${'a'.repeat(bytes - empty.length)}"`);
};

test('a frame of 16 MiB is taken, and one byte more ends the connection', { timeout: 60_000 }, async (t) => {
  const { listener, served } = await startFront(t, methods);
  const peer = await WebSocketPeer.open(t, listener.url);
  peer.say(padded(16_777_216));
  assert.equal((await peer.next()).id, 41);
  peer.say(padded(16_777_217));
  assert.equal((await peer.closed).code, 1009);
  assert.equal((await served[0]?.closed)?.code, 'protocol-error');
  assert.deepEqual(served[0]?.started, ['size']);
});

test('a message of 64 MiB in fragments is taken, and one byte more ends the connection', {
  timeout: 120_000,
}, async (t) => {
  const { listener } = await startFront(t, methods);
  for (const [size, fits] of [
    [67_108_864, true],
    [67_108_865, false],
  ] as const) {
    const peer = await WebSocketPeer.open(t, listener.url);
    const bytes = Buffer.from(padded(size));
    const piece = 8 * 1_048_576;
    for (let at = 0; at < bytes.length; at += piece) {
      peer.socket.send(bytes.subarray(at, at + piece), { binary: false, fin: at + piece >= bytes.length });
    }
    if (fits) assert.equal((await peer.next()).id, 41);
    else assert.equal((await peer.closed).code, 1009);
    peer.socket.terminate();
  }
});

test('a large answer arrives as one text message, in frames that the reference takes', {
  timeout: 60_000,
}, async (t) => {
  const text = 'x'.repeat(28_000_000);
  const { listener } = await startFront(t, { big: () => text });
  const peer = await WebSocketPeer.open(t, listener.url);
  const sizes: number[] = [];
  const guard = new FrameSizeGuard(() => sizes.push(-1));
  (peer.socket as unknown as { _socket: NodeJS.EventEmitter })._socket.on('data', (chunk: Buffer) => guard.add(chunk));
  peer.say({ id: 1, method: 'big' });
  assert.equal(((await peer.next()).result as string).length, text.length);
  assert.deepEqual([peer.kinds, sizes], [['text'], []]);
});

test('the guard of frame sizes sees headers wherever they are cut', () => {
  const frame = (size: number) => {
    const length =
      size < 126
        ? [size]
        : size < 65_536
          ? [126, size >> 8, size & 255]
          : [127, 0, 0, 0, 0, 0, size >> 16, (size >> 8) & 255, size & 255];
    return Buffer.concat([
      Buffer.from([0x81, (length[0] ?? 0) | 0x80, ...length.slice(1), 1, 2, 3, 4]),
      Buffer.alloc(size, 255),
    ]);
  };
  for (const step of [1, 3, 1_000, 1_000_000]) {
    let told = 0;
    const guard = new FrameSizeGuard(() => told++, 70_000);
    const bytes = Buffer.concat([5, 0, 126, 65_535, 70_000, 1].map(frame));
    for (let at = 0; at < bytes.length; at += step) guard.add(bytes.subarray(at, at + step));
    assert.equal(told, 0);
    const large = frame(70_001).subarray(0, 20);
    for (let at = 0; at < large.length; at += step) guard.add(large.subarray(at, at + step));
    assert.equal(told, 1);
  }
});

test('a client that does not read holds its own connection back and nobody else', { timeout: 60_000 }, async (t) => {
  const { listener, served } = await startFront(t, methods);
  const lazy = await WebSocketPeer.open(t, listener.url);
  lazy.say({ id: 0, method: 'echo' });
  await lazy.next();
  lazy.socket.pause();
  const connection = served[0]?.connection;
  const chunk = 'x'.repeat(65_536);
  let accepted = 0;
  const pushing = (async () => {
    for (; accepted < 2_000; accepted++) await connection?.notify('output', chunk);
  })();
  const other = await WebSocketPeer.open(t, listener.url);
  for (let id = 0; id < 200; id++) {
    other.say({ id, method: 'echo', params: id });
    assert.deepEqual(await other.next(), { id, result: id });
  }
  await turns(100);
  assert.ok(accepted < 2_000, `${accepted} notifications were taken from the sender`);
  lazy.socket.resume();
  for (let n = 0; n < 2_000; n++) assert.equal((await lazy.next()).params, chunk);
  await pushing;
});
