import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { stdioChannel } from '../../../src/exec-server/connection/index.js';
import { EncodedResult } from '../../../src/exec-server/wire/index.js';
import { Served, servedInMemory } from './served.js';
import { startFront, WebSocketPeer } from './websocket-peer.js';

const methods = {
  pieces: () => new EncodedResult(['{"a":"', 'é', 'x'.repeat(100_000), '"}'].map((part) => Buffer.from(part))),
};
const question = { id: 'q', method: 'pieces' };
const answer = { id: 'q', result: { a: `é${'x'.repeat(100_000)}` } };

test('a result in pieces is one message of a WebSocket', async (t) => {
  const { listener } = await startFront(t, methods);
  const peer = await WebSocketPeer.open(t, listener.url);
  peer.say(question);
  peer.say({ ...question, id: 'again' });
  assert.deepEqual(await peer.next(), answer);
  assert.deepEqual(await peer.next(), { ...answer, id: 'again' });
});

test('a result in pieces is one line of a stream', async () => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const { connection } = new Served(stdioChannel({ input, output }), methods);
  let text = '';
  output.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  input.end(`${JSON.stringify(question)}\n${JSON.stringify(question)}\n`);
  await new Promise((resolve) => connection.signal.addEventListener('abort', resolve));
  await connection.close();
  const [first = '', second, rest] = text.split('\n');
  assert.deepEqual([JSON.parse(first), second, rest], [answer, first, '']);
});

test('a result in pieces is one message inside a process', async () => {
  const { served, peer } = servedInMemory(methods);
  await peer.say(question);
  assert.deepEqual(await peer.next(), answer);
  await served.connection.close();
});
