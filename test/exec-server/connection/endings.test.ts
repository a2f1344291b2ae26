import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import type { CodemodeError } from '../../../src/errors.js';
import { memoryChannels, RpcConnection, stdioChannel } from '../../../src/exec-server/connection/index.js';
import { RpcError } from '../../../src/exec-server/wire/index.js';
import { deferred, RawPeer, turns } from './raw-peer.js';
import { Served, servedInMemory } from './served.js';

/** A client on one end of a pair. */
function clientOf(closings: (CodemodeError | undefined)[] = []): { client: RpcConnection; peer: RawPeer } {
  const [ours, theirs] = memoryChannels();
  const handler = {
    request: (method: string) => Promise.reject(new RpcError(-32601, `no ${method}`)),
    notification: () => {},
    closed: (reason: CodemodeError | undefined) => closings.push(reason),
  };
  return { client: new RpcConnection(ours, () => handler, { role: 'client' }), peer: new RawPeer(theirs) };
}

const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'resolved',
    (error: CodemodeError) => error.code,
  );

function overPipes(methods: ConstructorParameters<typeof Served>[1], options = {}) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const served = new Served(stdioChannel({ input, output }), methods, options);
  let text = '';
  output.on('data', (chunk) => {
    text += chunk;
  });
  return { input, output, served, lines: () => text.split('\n').slice(0, -1) };
}

test('everything that came before the end of input is answered, in 1,000 requests and with one place', async () => {
  for (const concurrentRequests of [undefined, 1]) {
    const { input, served, lines } = overPipes({ echo: async (params) => params }, { concurrentRequests });
    const requests = Array.from({ length: 1_000 }, (_, id) => JSON.stringify({ id, method: 'echo', params: id }));
    input.end(`${requests.join('\n')}\n`);
    assert.equal(await served.closed, undefined);
    await turns();
    assert.deepEqual(
      lines(),
      requests.map((_, id) => `{"id":${id},"result":${id}}`),
    );
    assert.equal(served.closings, 1);
  }
});

test('a last line without its end is a message all the same', async () => {
  const { input, served, lines } = overPipes({ echo: (params) => params });
  input.end('{"id":1,"method":"echo","params":2}');
  assert.equal(await served.closed, undefined);
  await turns();
  assert.deepEqual(lines(), ['{"id":1,"result":2}']);
});

test('an input that ends in the middle of a message says so, and what came before was answered', async () => {
  const { input, served, lines } = overPipes({ echo: (params) => params });
  input.end('{"id":1,"method":"echo","params":2}\n{"id":2,"meth');
  const reason = await served.closed;
  assert.equal(reason?.code, 'connection-lost');
  assert.match(reason?.message ?? '', /in the middle of a message, after 13 bytes/);
  await turns();
  assert.deepEqual(lines(), ['{"id":1,"result":2}']);
});

test('at the end of input a long poll is told to answer now', async () => {
  const { input, served, lines } = overPipes({
    poll: (_params, { inputEnded }) =>
      new Promise((resolve) => inputEnded.addEventListener('abort', () => resolve('what there is'))),
  });
  input.end('{"id":1,"method":"poll"}\n');
  await served.closed;
  await turns();
  assert.deepEqual(lines(), ['{"id":1,"result":"what there is"}']);
});

test('a request that never ends does not keep the connection open', async () => {
  const { input, served } = overPipes({ stuck: () => new Promise(() => {}) }, { drainLimitMs: 20 });
  input.end('{"id":1,"method":"stuck"}\n');
  assert.equal(await served.closed, undefined);
});

test('an output that broke ends the connection with its cause, once', async () => {
  const { output, served } = overPipes({});
  output.destroy(new Error('EPIPE for a test'));
  const reason = await served.closed;
  await turns();
  assert.equal(reason?.code, 'connection-lost');
  assert.match(reason?.message ?? '', /EPIPE for a test|disconnected/);
});

test('when the peer is gone, what it asked for still has its turn, and is told that nobody listens', async () => {
  const aborted = deferred();
  const { served, peer } = servedInMemory(
    {
      wait: (_params, { signal }) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            aborted.resolve();
            resolve(0);
          });
        }),
      note: () => 1,
    },
    { concurrentRequests: 1 },
  );
  await peer.say({ id: 1, method: 'wait' });
  await peer.say({ id: 2, method: 'note' });
  await peer.channel.close();
  await aborted.promise;
  assert.equal(await served.closed, undefined);
  assert.deepEqual(served.started, ['wait', 'note']);
  assert.equal(served.closings, 1);
});

test('all calls under way are rejected at once when the peer is gone, and later ones too', async () => {
  const closings: (CodemodeError | undefined)[] = [];
  const { client, peer } = clientOf(closings);
  const calls = Array.from({ length: 50 }, () => codeOf(client.request('m', {})));
  await peer.next();
  await peer.channel.close();
  assert.deepEqual(new Set(await Promise.all(calls)), new Set(['connection-lost']));
  assert.equal(await codeOf(client.request('m', {})), 'connection-lost');
  assert.equal(await codeOf(client.notify('m', {})), 'connection-lost');
  assert.deepEqual(
    closings.map((reason) => reason?.code),
    ['connection-lost'],
  );
});

test('an answer that came before the peer was gone still counts', async () => {
  const { client, peer } = clientOf();
  const first = client.request('m', {});
  const second = codeOf(client.request('m', {}));
  await peer.next();
  void peer.say({ id: 1, result: 'in time' });
  await peer.channel.close();
  assert.equal(await first, 'in time');
  assert.equal(await second, 'connection-lost');
});

test('closing on this side rejects what is under way with the words for it', async () => {
  const { client, peer } = clientOf();
  const call = codeOf(client.request('m', {}));
  await client.close();
  assert.equal(await call, 'connection-closed');
  assert.equal((await peer.ended).reason, undefined);
});

test('a call ends at its limit, or when its caller gives up, and its late answer is ignored', async () => {
  const { client, peer } = clientOf();
  assert.equal(await codeOf(client.request('slow', {}, { timeoutMs: 10 })), 'operation-timeout');
  const controller = new AbortController();
  const call = codeOf(client.request('slow', {}, { signal: controller.signal }));
  controller.abort();
  assert.equal(await call, 'cancelled');
  assert.equal(await codeOf(client.request('slow', {}, { signal: controller.signal })), 'cancelled');
  await peer.say({ id: 1, result: 0 });
  await peer.say({ id: 2, result: 0 });
  const fine = client.request('fine', {});
  await peer.say({ id: 4, result: 'fine' });
  assert.equal(await fine, 'fine');
  assert.equal(
    ((await peer.next()).method as string) + (await peer.next()).method + (await peer.next()).method,
    'slowslowfine',
  );
  await client.close();
});

test('a server that says something unreadable loses its client', async () => {
  const { client, peer } = clientOf();
  const call = codeOf(client.request('m', {}));
  await peer.say('garbage');
  assert.equal(await call, 'protocol-error');
  await peer.ended;
  assert.ok(client.signal.aborted);
});

test('ids of an answer must have the type of the question', async () => {
  const { client, peer } = clientOf();
  const call = client.request('m', {});
  await peer.say({ id: '1', result: 'no' });
  await peer.say({ id: 1, result: 'yes' });
  assert.equal(await call, 'yes');
  await client.close();
});

test('an error answer carries code, message and data', async () => {
  const { client, peer } = clientOf();
  const call = client.request('process/start', {});
  await peer.say({ id: 1, error: { code: -32603, message: 'no', data: { kind: 'spawnNotFound' } } });
  await assert.rejects(call, (error: CodemodeError) => {
    assert.equal(error.code, 'operation-failed');
    assert.equal(error.message, 'exec-server rejected request (-32603): no');
    assert.deepEqual(error.data, {
      method: 'process/start',
      code: -32603,
      message: 'no',
      data: { kind: 'spawnNotFound' },
    });
    return true;
  });
  await client.close();
});

test('a request that the server could not read is not sent', async () => {
  const { client, peer } = clientOf();
  assert.equal(await codeOf(client.request('m', { path: 'a\ud800' })), 'invalid-argument');
  assert.equal(await codeOf(client.request('m', { text: 'x'.repeat(68_000_000) })), 'frame-too-large');
  const call = client.request('m', { path: '\\ud800', face: '😀' });
  assert.deepEqual((await peer.next()).params as object, { path: '\\ud800', face: '😀' });
  await peer.say({ id: 1, result: 0 });
  assert.equal(await call, 0);
  await client.close();
});

test('a complaint of the server about a message of ours ends the connection', async () => {
  const { client, peer } = clientOf();
  const call = codeOf(client.request('m', {}));
  await peer.say({ id: -1, error: { code: -32600, message: 'failed to parse' } });
  assert.equal(await call, 'protocol-error');
  assert.match((client.signal.reason as CodemodeError).message, /could not read a message of ours: failed to parse/);
});
