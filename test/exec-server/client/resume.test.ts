import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { CodemodeError } from '../../../src/errors.js';
import { ExecServerClient } from '../../../src/exec-server/client/index.js';
import { RpcError } from '../../../src/exec-server/wire/index.js';
import { eventually } from '../../support/processes.js';
import { turns } from '../connection/raw-peer.js';
import { Wire } from './cut-wire.js';
import { brief, codeOf } from './read-events.js';
import { type Method, readAnswer, ScriptedHost } from './scripted-host.js';

async function overWire(t: TestContext, methods: { readonly [name: string]: Method } = {}, options: object = {}) {
  const host = new ScriptedHost(methods);
  const listener = await host.listen(t);
  const wire = await Wire.to(t, listener.port);
  const client = await ExecServerClient.connectWebSocket({ url: wire.url, ...options });
  t.after(() => client.close());
  return { host, wire, client };
}

const echo = { argv: ['echo'], cwd: '/tmp', processId: 'p' };

test('after a cut the session is resumed, and the output is complete', async (t) => {
  const { host, wire, client } = await overWire(t, {
    'process/read': ({ params }) => {
      assert.deepEqual(params, { processId: 'p', afterSeq: 1, maxBytes: null, waitMs: 0 });
      return readAnswer(
        [
          [2, 'two'],
          [3, 'three'],
        ],
        { nextSeq: 4 },
      );
    },
  });
  const process = await client.start(echo);
  const iterator = process[Symbol.asyncIterator]();
  const next = async () => brief((await iterator.next()).value ?? { type: 'closed' });
  await host.output('p', 1, 'one');
  assert.equal(await next(), 'one');
  wire.cut();
  const resumed = await host.called('initialize', 1);
  assert.equal(resumed.params.resumeSessionId, 's');
  await host.called('process/read');
  assert.deepEqual([await next(), await next()], ['two', 'three']);
  await host.exited('p', 4);
  await host.closed('p', 5);
  assert.deepEqual([await next(), await next()], [{ exited: 0 }, 'closed']);
  assert.equal(client.reason, undefined);
});

test('what ended while nobody listened is told after the resume, with the gap', async (t) => {
  const { wire, client } = await overWire(t, {
    'process/read': () =>
      readAnswer([[9, 'tail']], { nextSeq: 12, exited: true, exitCode: 4, closed: true, droppedBytes: 70 }),
  });
  const process = await client.start(echo);
  const events: unknown[] = [];
  wire.cut();
  for await (const event of process) events.push(brief(event));
  assert.deepEqual(events, [{ gap: 8, bytes: 70 }, 'tail', { exited: 4 }, 'closed']);
});

test('calls under way are rejected at once, and later ones wait for the resume', async (t) => {
  const { host, wire, client } = await overWire(t, {
    'fs/readFile': () => new Promise(() => {}),
    'environment/status': () => ({ status: 'ready' }),
  });
  const calls = Array.from({ length: 10 }, () => codeOf(client.fs.readFile('/x')));
  await host.called('fs/readFile', 9);
  wire.open = false;
  wire.cut();
  assert.deepEqual(new Set(await Promise.all(calls)), new Set(['connection-lost']));
  const controller = new AbortController();
  const impatient = codeOf(client.environmentStatus({ signal: controller.signal }));
  const patient = client.environmentStatus();
  controller.abort();
  assert.equal(await impatient, 'cancelled');
  wire.open = true;
  assert.equal(await patient, 'ready');
});

test('a write is told again under the same id, and so are a read and a termination', async (t) => {
  for (const method of ['process/write', 'process/read', 'process/terminate']) {
    const seen: unknown[] = [];
    const answers: { readonly [name: string]: object } = {
      'process/write': { status: 'accepted' },
      'process/read': readAnswer([], { nextSeq: 1 }),
      'process/terminate': { running: true },
    };
    const { host, wire, client } = await overWire(t, {
      'process/read': () => answers['process/read'],
      [method]: ({ params, connection }) => {
        if (connection === host.connections[0]) return new Promise(() => {});
        seen.push(params.writeId);
        return answers[method];
      },
    });
    const process = await client.start({ ...echo, pipeStdin: true });
    const call = { 'process/write': () => process.write('x'), 'process/read': () => process.read() }[method];
    const outcome = call === undefined ? process.terminate() : call();
    const first = await host.called(method);
    wire.cut();
    assert.ok((await outcome) !== undefined);
    if (method === 'process/write') assert.deepEqual(seen, [first.params.writeId]);
  }
});

test('a start whose answer was lost is told again, and its refusal shows that it had started', async (t) => {
  const { host, wire, client } = await overWire(t, {
    'process/start': ({ connection }) => {
      if (connection === host.connections[0]) return new Promise(() => {});
      throw new RpcError(-32600, 'process p already exists');
    },
    'process/read': () => readAnswer([[1, 'early']], { nextSeq: 4, exited: true, exitCode: 0, closed: true }),
  });
  const starting = client.start(echo);
  await host.called('process/start');
  wire.cut();
  const events: unknown[] = [];
  for await (const event of await starting) events.push(brief(event));
  assert.deepEqual(events, ['early', { exited: 0 }, 'closed']);
});

test('another refusal of a start that is told again is an error', async (t) => {
  for (const [message, data, code] of [
    ['at most 1024 processes may run at once', undefined, 'operation-failed'],
    ['whatever', { kind: 'processExists' }, 'resolved'],
  ] as const) {
    const { host, wire, client } = await overWire(t, {
      'process/start': ({ connection }) => {
        if (connection === host.connections[0]) return new Promise(() => {});
        throw new RpcError(-32600, message, data);
      },
      'process/read': () => readAnswer([], { nextSeq: 1 }),
    });
    const starting = codeOf(client.start(echo));
    await host.called('process/start');
    wire.cut();
    assert.equal(await starting, code);
  }
});

test('a limit that no timer can count is none', async (t) => {
  for (const recoveryLimitMs of [Number.POSITIVE_INFINITY, 2 ** 31 + 5, 60_000.5]) {
    const status = { 'environment/status': () => ({ status: 'ready' }) };
    const { host, wire, client } = await overWire(t, status, { recoveryLimitMs });
    wire.cut();
    await host.called('initialize', 1);
    assert.equal(await client.environmentStatus(), 'ready');
  }
});

test('a client that is closed in any moment of its recovery leaves no connection', async (t) => {
  for (let moment = 0; moment < 30; moment += 1) {
    const { host, wire, client } = await overWire(t);
    wire.cut();
    await host.called('initialize', 1);
    await turns(moment);
    await client.close({ detach: true });
    await eventually(() => host.open === 0);
  }
});

test('a server that still believes in the old connection is asked again', async (t) => {
  let refusals = 0;
  const { wire, client } = await overWire(t, {
    initialize: ({ params }) => {
      if (params.resumeSessionId === undefined || refusals === 3) return { sessionId: 's' };
      refusals++;
      throw new RpcError(-32010, 'session s is already attached to another connection');
    },
    'environment/status': () => ({ status: 'ready' }),
  });
  wire.cut();
  while (refusals < 3) await new Promise((resolve) => setImmediate(resolve));
  assert.equal(await client.environmentStatus(), 'ready');
});

test('a session that the server has forgotten ends everything', async (t) => {
  const { host, wire, client } = await overWire(t, {
    initialize: ({ params }) => {
      if (params.resumeSessionId === undefined) return { sessionId: 's' };
      throw new RpcError(-32600, 'unknown session id s');
    },
  });
  const process = await client.start(echo);
  const next = process[Symbol.asyncIterator]().next();
  wire.cut();
  await assert.rejects(next, (error: CodemodeError) => {
    assert.equal(error.code, 'connection-lost');
    assert.match(error.message, /its session is gone: exec-server rejected request \(-32600\): unknown session id s/);
    return true;
  });
  assert.equal(host.connections.length, 2);
  assert.equal(await codeOf(client.environmentInfo()), 'connection-lost');
});

test('a server that stays away is given up at the limit', async (t) => {
  const { wire, client } = await overWire(t, {}, { recoveryLimitMs: 150 });
  const process = await client.start(echo);
  const next = process[Symbol.asyncIterator]().next();
  wire.open = false;
  wire.cut();
  const waiting = codeOf(client.environmentInfo());
  await assert.rejects(next, {
    code: 'connection-lost',
    message: 'exec-server transport disconnected and not resumed within 0.15 s',
  });
  assert.equal(await waiting, 'connection-lost');
});

test('a client that is closed while it recovers stops at once', async (t) => {
  const { wire, client } = await overWire(t);
  const process = await client.start(echo);
  const next = codeOf(process[Symbol.asyncIterator]().next());
  wire.open = false;
  wire.cut();
  await client.close({ detach: true });
  assert.equal(await next, 'connection-closed');
});

test('a server without sessions is not dialled again', async (t) => {
  const { host, wire, client } = await overWire(t, { initialize: () => ({ protocolVersion: 'exec-server.v0' }) });
  const process = await client.start(echo);
  wire.cut();
  await assert.rejects(process[Symbol.asyncIterator]().next(), { code: 'connection-lost' });
  assert.equal(host.connections.length, 1);
});

test('a connection that is cut again and again loses nothing', { timeout: 60_000 }, async (t) => {
  const texts = Array.from({ length: 200 }, (_, index) => `[${index}]`);
  let produced = 0;
  const { host, wire, client } = await overWire(t, {
    'process/read': ({ params }) => {
      const after = params.afterSeq as number;
      const chunks = texts.slice(after, produced).map((text, index) => [after + index + 1, text] as const);
      return readAnswer(chunks, { nextSeq: produced + 1 });
    },
  });
  const process = await client.start(echo);
  const iterator = process[Symbol.asyncIterator]();
  let text = '';
  while (text.length < texts.join('').length) {
    if (produced < texts.length) {
      produced++;
      await host.output('p', produced, texts[produced - 1] ?? '').catch(() => {});
      if (produced % 20 === 0) wire.cut();
    }
    const { value } = await iterator.next();
    assert.equal(value?.type, 'output');
    if (value?.type === 'output') text += Buffer.from(value.bytes);
  }
  assert.equal(text, texts.join(''));
});
