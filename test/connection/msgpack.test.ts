import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect } from '../../src/connection/connect.js';
import { msgpackCodec } from '../../src/protocol/msgpack-codec.js';
import { FakeHost, initial, join, Recorder, result, toolCall, turns } from './fake-host.js';

const begin = (host: FakeHost, offer: string[]) =>
  connect({ source: host.stdout, sink: host.stdin, ended: host.ended, offer, handshakeTimeoutMs: 1_000 });

const ready = { type: 'connection/ready', selectedVersion: 1, capabilities: ['msgpack-frames-v1'] } as const;

test('a grant of msgpack switches both directions after the hello, and bytes stay bytes', async (t) => {
  const host = new FakeHost();
  const connecting = begin(host, ['msgpack-frames-v1']);
  await host.next('connection/hello');
  host.send(ready);
  const { connection } = await connecting;
  t.after(() => connection.close());
  assert.equal(connection.codec, 'msgpack');
  host.codec = msgpackCodec;
  const bytes = new Uint8Array([1, 2, 3]);
  const delegate = new Recorder(() => ({ bytes, none: undefined }));
  const session = await host.open(connection, { delegate });
  const cell = await host.start(connection, session, '1');
  host.send(toolCall(1, '1', { image: bytes }), initial(cell.id, result('1')));
  const { result: answered } = await host.next('delegate/response');
  assert.ok(answered.status === 'ok' && answered.value.type === 'tool/result');
  assert.deepEqual(Object.keys(answered.value.result as object), ['bytes']);
  assert.deepEqual(new Uint8Array((answered.value.result as { bytes: Uint8Array }).bytes), bytes);
  assert.deepEqual(new Uint8Array((delegate.calls[0]!.input as { image: Uint8Array }).image), bytes);
  await cell.initial;
});

test('frames in the chunk of the ready are decoded with what the ready granted', async (t) => {
  const host = new FakeHost();
  const connecting = begin(host, ['msgpack-frames-v1']);
  const hello = host.bytes(ready);
  host.codec = msgpackCodec;
  host.stdout.write(Buffer.concat([hello, host.bytes({ type: 'delegate/cancel', id: 1 })]));
  const { connection } = await connecting;
  t.after(() => connection.close());
  await turns();
  assert.equal(connection.failure, undefined);
});

test('a grant that was not asked for changes nothing', async (t) => {
  const { host, connection } = await join(t, { capabilities: ['msgpack-frames-v1'], offer: [] });
  assert.equal(connection.codec, 'json');
  await host.open(connection);
});
