import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RpcViolation } from '../../../src/exec-server/connection/index.js';
import { RpcError } from '../../../src/exec-server/wire/index.js';
import { deferred, turns } from './raw-peer.js';
import { servedInMemory } from './served.js';

test('a request is answered under its own id, whatever that is', async () => {
  const { served, peer } = servedInMemory({ echo: (params) => params });
  for (const id of [
    '1',
    '0',
    '-7',
    '"abc"',
    '""',
    '9223372036854775807',
    '-9223372036854775808',
    `"${'x'.repeat(100_000)}"`,
  ]) {
    await peer.say(`{"id":${id},"method":"echo","params":{"a":1}}`);
    assert.equal(await peer.nextText(), `{"id":${id},"result":{"a":1}}`);
  }
  await served.connection.close();
});

test('an answer with an error has data only when there is some, and no jsonrpc member', async () => {
  const { served, peer } = servedInMemory({
    bare: () => Promise.reject(new RpcError(-32600, 'no')),
    rich: () => Promise.reject(new RpcError(-32603, 'no', { kind: 'spawnFailed' })),
    bug: () => Promise.reject(new TypeError('a fault of ours')),
  });
  for (const method of ['bare', 'rich', 'bug']) await peer.say({ id: 1, method });
  assert.equal(await peer.nextText(), '{"error":{"code":-32600,"message":"no"},"id":1}');
  assert.equal(await peer.nextText(), '{"error":{"code":-32603,"message":"no","data":{"kind":"spawnFailed"}},"id":1}');
  assert.equal(await peer.nextText(), '{"error":{"code":-32603,"message":"a fault of ours"},"id":1}');
  await served.connection.close();
});

test('a result that cannot be written down is an internal error, and the connection lives on', async () => {
  const circle: { self?: object } = {};
  circle.self = circle;
  const { served, peer } = servedInMemory({ circle: () => circle, fine: () => 1 });
  await peer.say({ id: 1, method: 'circle' });
  await peer.say({ id: 2, method: 'fine' });
  assert.equal(((await peer.next()).error as { code: number }).code, -32603);
  assert.deepEqual(await peer.next(), { id: 2, result: 1 });
  await served.connection.close();
});

test('malformed messages are answered with id -1, one by one, and survived', async () => {
  const { served, peer } = servedInMemory({ fine: () => 1 });
  const malformed = [
    'garbage',
    '[{"id":1,"method":"fine"}]',
    '[]',
    '{}',
    '5',
    '{"id":1.5,"method":"fine"}',
    '{"id":1}{"id":2}',
    '',
  ];
  for (const text of malformed) await peer.say(text);
  await peer.say({ id: 2, method: 'fine' });
  for (const text of malformed) {
    const { id, error } = await peer.next();
    const { code, message } = error as { code: number; message: string };
    assert.equal(id, -1, text);
    assert.equal(code, -32600);
    assert.match(message, /^failed to parse JSON-RPC message from exec-server in-process channel: ./);
  }
  assert.deepEqual(await peer.next(), { id: 2, result: 1 });
  assert.deepEqual(served.started, ['fine']);
  await served.connection.close();
});

test('two requests with one id are both answered', async () => {
  const { served, peer } = servedInMemory({ echo: (params) => params });
  await peer.say({ id: 9, method: 'echo', params: 1 });
  await peer.say({ id: 9, method: 'echo', params: 2 });
  assert.deepEqual(
    [await peer.next(), await peer.next()],
    [
      { id: 9, result: 1 },
      { id: 9, result: 2 },
    ],
  );
  await served.connection.close();
});

test('requests and notifications start in the order in which they arrive, and run side by side', async () => {
  const slow = deferred<number>();
  const order: string[] = [];
  const { served, peer } = servedInMemory(
    {
      slow: () => {
        order.push('slow');
        return slow.promise;
      },
      quick: () => {
        order.push('quick');
        return 2;
      },
    },
    { notification: (method) => order.push(method) },
  );
  await peer.say({ id: 1, method: 'slow' });
  await peer.say({ method: 'initialized' });
  await peer.say({ id: 2, method: 'quick' });
  assert.deepEqual(await peer.next(), { id: 2, result: 2 });
  assert.deepEqual(order, ['slow', 'initialized', 'quick']);
  slow.resolve(1);
  assert.deepEqual(await peer.next(), { id: 1, result: 1 });
  await served.connection.close();
});

test('with one place a request waits for the one before, and so does a notification', async () => {
  const slow = deferred<number>();
  const { served, peer } = servedInMemory({ slow: () => slow.promise, quick: () => 2 }, { concurrentRequests: 1 });
  await peer.say({ id: 1, method: 'slow' });
  await peer.say({ id: 2, method: 'quick' });
  await peer.say({ method: 'note' });
  await turns();
  assert.deepEqual([served.started, served.notifications], [['slow'], []]);
  slow.resolve(1);
  assert.deepEqual(
    [await peer.next(), await peer.next()],
    [
      { id: 1, result: 1 },
      { id: 2, result: 2 },
    ],
  );
  await turns();
  assert.deepEqual(served.notifications, ['note']);
  await served.connection.close();
});

test('a request that may pass does so when all places are taken, after looking at those ahead', async () => {
  const slow = deferred<number>();
  const started = deferred<number>();
  const { served, peer } = servedInMemory(
    { slow: () => slow.promise, kill: () => 0, start: () => started.promise },
    {
      concurrentRequests: 1,
      passing: {
        mayPass: ({ method }) => method === 'kill',
        mayNotPass: ({ params }, other) => other.method === 'start' && other.params === params,
      },
    },
  );
  await peer.say({ id: 1, method: 'slow' });
  await peer.say({ id: 2, method: 'slow' });
  await peer.say({ id: 3, method: 'start', params: 'a' });
  await peer.say({ id: 4, method: 'slow' });
  await peer.say({ id: 5, method: 'kill', params: 'a' });
  await peer.say({ id: 6, method: 'kill', params: 'b' });
  assert.deepEqual(await peer.next(), { id: 6, result: 0 });
  slow.resolve(1);
  assert.deepEqual([(await peer.next()).id, (await peer.next()).id], [1, 2]);
  await turns();
  assert.deepEqual(served.started.slice(-2), ['start', 'kill'], 'before the one that waits between them');
  assert.deepEqual(await peer.next(), { id: 5, result: 0 });
  started.resolve(1);
  assert.deepEqual([(await peer.next()).id, (await peer.next()).id], [3, 4]);
  await served.connection.close();
});

test('what is sent after the response arrives behind it, in 1,000 of 1,000 runs', async () => {
  const { served, peer } = servedInMemory({
    start: (_params, context, connection) => {
      context.afterResponse(() => void connection.notify('output', {}));
      return 'started';
    },
  });
  for (let run = 1; run <= 1_000; run++) {
    await peer.say({ id: run, method: 'start' });
    assert.deepEqual(await peer.next(), { id: run, result: 'started' });
    assert.equal((await peer.next()).method, 'output');
  }
  await served.connection.close();
});

test('a notification that is not allowed closes the connection, and what stands behind it is not answered', async () => {
  const { served, peer } = servedInMemory(
    { fine: () => 1 },
    {
      notification: () => {
        throw new RpcViolation('not a notification');
      },
    },
  );
  await peer.say({ id: 1, method: 'fine' });
  await peer.say({ method: 'zzz' });
  await peer.say({ id: 2, method: 'fine' });
  assert.deepEqual(await peer.next(), { id: 1, result: 1 });
  await peer.ended;
  assert.equal(peer.waiting, 0);
  const reason = await served.closed;
  assert.equal(reason?.code, 'protocol-error');
  assert.match(reason?.message ?? '', /not a notification/);
  assert.deepEqual(served.started, ['fine']);
});

test('an answer that nobody asked for closes the connection of a server', async () => {
  for (const message of [
    '{"id":9,"result":{}}',
    '{"id":9,"result":null}',
    '{"id":"a","error":{"code":1,"message":"x"}}',
  ]) {
    const { served, peer } = servedInMemory();
    await peer.say(message);
    await peer.ended;
    assert.equal((await served.closed)?.code, 'protocol-error');
    assert.equal(served.closings, 1);
  }
});
