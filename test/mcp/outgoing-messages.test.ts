import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { OutgoingMessages } from '../../src/mcp/outgoing-messages.js';
import { ServerFault } from '../../src/mcp/server-fault.js';

/** A stream that takes one message, and the next when the test says so. */
function bench(limitBytes = 1_000) {
  const seen: unknown[] = [];
  let go = (_error?: Error): void => {};
  const stream = new Writable({
    highWaterMark: 1,
    decodeStrings: false,
    write(line: string, _encoding, done) {
      assert.ok(line.endsWith('\n'));
      const { id, method, params } = JSON.parse(line);
      seen.push(id ?? `${method} ${params?.requestId}`);
      go = done;
    },
  });
  stream.on('error', () => {});
  const outgoing = new OutgoingMessages(stream, limitBytes);
  return {
    stream,
    outgoing,
    seen,
    fail: (error: Error) => go(error),
    request: (id: number, filler = '') =>
      outgoing.add({ jsonrpc: '2.0', id, method: 'tools/call', params: { filler } }),
    givesUp: (requestId: number) =>
      outgoing.add({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } }),
    async readAll(): Promise<void> {
      for (let before = -1; before !== seen.length; ) {
        before = seen.length;
        go();
        await new Promise(setImmediate);
      }
    },
  };
}

test('messages come in their order, whenever they are read', async () => {
  const { request, seen, readAll } = bench();
  const sent = [1, 2, 3, 4].map((id) => request(id));
  assert.deepEqual(seen, [1]);
  await readAll();
  await Promise.all(sent);
  assert.deepEqual(seen, [1, 2, 3, 4]);
});

test('a request that is over before its turn is not sent, nor is the word that it was given up', async () => {
  const { outgoing, request, givesUp, seen, readAll } = bench();
  const sent = [request(1), request(2), request(3), givesUp(2), givesUp(1)];
  for (const id of [1, 2, 99]) outgoing.forget(id);
  await sent[1];
  await sent[3];
  await readAll();
  await Promise.all(sent);
  assert.deepEqual(seen, [1, 3, 'notifications/cancelled 1']);
});

test('of what was given up nothing counts against the limit, however often it happens', async () => {
  const { outgoing, request, givesUp, seen, readAll } = bench();
  const first = request(1);
  for (let id = 2; id < 1_000; id += 1) {
    const sent = [request(id, 'x'.repeat(600)), givesUp(id)];
    outgoing.forget(id);
    await Promise.all(sent);
  }
  const last = request(1_000);
  await readAll();
  await Promise.all([first, last]);
  assert.deepEqual(seen, [1, 1_000]);
});

test('more than the limit does not wait, and one message alone may be longer', async () => {
  const { request, seen, readAll } = bench();
  const sent = [request(1, 'x'.repeat(5_000)), request(2, 'x'.repeat(5_000))];
  const refused = new ServerFault(
    'the server does not read its input: more than 1000 bytes (0.00095367431640625 MiB) would be waiting for it',
  );
  assert.throws(() => request(3), refused);
  await readAll();
  await Promise.all(sent);
  const more = [request(4), request(5)];
  await readAll();
  await Promise.all(more);
  assert.deepEqual(seen, [1, 2, 4, 5]);
});

test('what waits is settled at the end, and with a stream that is lost', async () => {
  const ending = bench();
  const first = ending.request(1);
  const second = ending.request(2);
  ending.outgoing.end();
  await second;
  await ending.readAll();
  await first;
  assert.deepEqual(ending.seen, [1]);
  const lost = bench();
  const sent = [lost.request(1), lost.request(2)] as const;
  lost.fail(new Error('gone'));
  await assert.rejects(sent[0], /gone/);
  await sent[1];
  await assert.rejects(lost.request(3), { code: 'ERR_STREAM_DESTROYED' });
  assert.deepEqual(lost.seen, [1]);
});
