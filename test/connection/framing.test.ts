import assert from 'node:assert/strict';
import { test } from 'node:test';
import { death, type FakeHost, failure, initial, join, notification, Recorder, result, turns } from './fake-host.js';

/** 50 notifications, then a result, as one run of bytes. */
function talk(host: FakeHost, executeId: number): Buffer {
  const notes = Array.from({ length: 50 }, (_, i) => host.bytes(notification(i + 1, '1', `n${i} é☕🦀`)));
  return Buffer.concat([...notes, host.bytes(initial(executeId, result('1', 'é☕🦀')))]);
}

async function deliver(t: import('node:test').TestContext, cut: (bytes: Buffer) => Buffer[]) {
  const { host, connection } = await join(t);
  const delegate = new Recorder();
  const session = await host.open(connection, { delegate });
  const cell = await host.start(connection, session, '1');
  for (const piece of cut(talk(host, cell.id))) host.stdout.write(piece);
  const { items } = await cell.initial;
  assert.deepEqual(items, [{ type: 'input_text', text: 'é☕🦀' }]);
  await turns();
  assert.deepEqual(
    delegate.notes.map((note) => note.text),
    Array.from({ length: 50 }, (_, i) => `n${i} é☕🦀`),
  );
  assert.equal(connection.failure, undefined);
}

test('frames that come byte by byte are understood', (t) =>
  deliver(t, (bytes) => [...bytes].map((b) => Buffer.from([b]))));

test('many frames in one chunk are understood', (t) => deliver(t, (bytes) => [bytes]));

test('frames cut at random are understood, with 200 seeds', async (t) => {
  for (let seed = 1; seed <= 200; seed++) {
    let state = seed;
    const random = (below: number) => {
      state = (state * 1103515245 + 12345) % 2 ** 31;
      return state % below;
    };
    await deliver(t, (bytes) => {
      const pieces = [];
      for (let at = 0; at < bytes.length; ) {
        const size = 1 + random(1024);
        pieces.push(bytes.subarray(at, at + size));
        at += size;
      }
      return pieces;
    });
  }
});

test('10,000 frames in one chunk are handled in turns, and all of them', async (t) => {
  const { host, connection } = await join(t);
  const frame = host.bytes({ type: 'delegate/cancel', id: 1 });
  const session = await host.open(connection);
  const cell = await host.start(connection, session, '1');
  let otherTurns = 0;
  const counter = setInterval(() => otherTurns++, 0);
  host.stdout.write(Buffer.concat([...Array(10_000).fill(frame), host.bytes(initial(cell.id, result('1')))]));
  await cell.initial;
  clearInterval(counter);
  assert.ok(otherTurns > 0);
});

const bodies: [string, Buffer | object, RegExp][] = [
  ['bad JSON', Buffer.from('{a}'), /^failed to read code-mode host message: failed to decode code-mode IPC frame: /],
  ['an empty body', Buffer.from(''), /^failed to read code-mode host message: failed to decode code-mode IPC frame: /],
  ['an unknown type', { type: 'future/thing' }, /^failed to read code-mode host message: .*future\/thing/],
  [
    'an id that is no integer',
    { type: 'delegate/cancel', id: 2.5 },
    /^failed to read code-mode host message: .*`?id`?/,
  ],
  ['a missing field', { type: 'delegate/cancel' }, /^failed to read code-mode host message: missing field `id`/],
];

for (const [name, body, text] of bodies) {
  test(`${name} ends the connection, and everybody gets that reason`, async (t) => {
    const { host, connection } = await join(t);
    const session = await host.open(connection);
    const waits = [1, 2].map(() => failure(connection.wait(session, '1', { yieldTimeMs: 5 })));
    if (body instanceof Buffer) {
      const head = Buffer.alloc(4);
      head.writeUInt32LE(body.length);
      host.stdout.write(Buffer.concat([head, body]));
    } else host.stdout.write(host.bytes(body));
    const reason = await death(connection);
    assert.match(reason.message, text);
    assert.equal(reason.code, 'protocol-error');
    const later = failure(connection.wait(session, '1', { yieldTimeMs: 5 }));
    for (const error of await Promise.all([...waits, later])) {
      assert.equal(error.message, reason.message);
      assert.notEqual(error, reason);
    }
  });
}

test('a length above 64 MiB ends the connection by its header, 64 MiB is waited for', async (t) => {
  const { host, connection } = await join(t);
  host.stdout.write(Buffer.from([0, 0, 0, 4]));
  await turns();
  assert.equal(connection.failure, undefined);
  const second = await join(t);
  second.host.stdout.write(Buffer.from([1, 0, 0, 4]));
  assert.equal(
    (await death(second.connection)).message,
    'failed to read code-mode host message: code-mode IPC frame length 67108865 exceeds 67108864 bytes',
  );
});

test('text between frames is shown, with the frame after which it came', async (t) => {
  const { host, connection } = await join(t);
  host.stdout.write('[WebSocket] Closed\n');
  assert.equal(
    (await death(connection)).message,
    'failed to read code-mode host message: code-mode IPC frame length 1650808667 exceeds 67108864 bytes, text "[WebSocket] Closed\\n…" after frame 1',
  );
});

test('a stream that ends inside a frame is an early eof that says how much came', async (t) => {
  const { host, connection } = await join(t);
  host.stdout.end(Buffer.from([10, 0, 0, 0, 1, 2, 3]));
  host.exit('exit status: 0');
  const reason = await death(connection);
  assert.equal(
    reason.message,
    'failed to read code-mode host message: early eof: stream ended inside a frame body, 3 of 10 bytes; exit status: 0',
  );
  assert.equal(reason.code, 'protocol-error');
  assert.equal(reason.data.exit, 'exit status: 0');
});

test('a frame of 32 MiB in pieces of 64 KiB is not copied again with each of them', async (t) => {
  const { host, connection } = await join(t);
  const session = await host.open(connection);
  const cell = await host.start(connection, session, '1');
  const bytes = host.bytes(initial(cell.id, result('1', 'x'.repeat(32 * 1024 * 1024))));
  let copied = 0;
  const { set } = Uint8Array.prototype;
  t.mock.method(Uint8Array.prototype, 'set', function (this: Uint8Array, from: Uint8Array, at: number) {
    copied += from.length;
    set.call(this, from, at);
  });
  const { concat } = Buffer;
  t.mock.method(Buffer, 'concat', (parts: Uint8Array[], length?: number) => {
    const whole = concat(parts, length);
    copied += whole.length;
    return whole;
  });
  for (let at = 0; at < bytes.length; at += 65_536) host.stdout.write(bytes.subarray(at, at + 65_536));
  const { items } = await cell.initial;
  assert.equal(items.length, 1);
  assert.ok(copied <= bytes.length, `${copied} bytes were copied`);
});
