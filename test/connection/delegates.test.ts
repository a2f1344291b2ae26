import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Delegate } from '../../src/connection/delegate.js';
import type { Id } from '../../src/protocol/index.js';
import {
  closed,
  code,
  death,
  type FakeHost,
  failure,
  initial,
  join,
  notification,
  observed,
  Recorder,
  result,
  toolCall,
  turns,
} from './fake-host.js';

async function scene(t: TestContext, delegate: Delegate, options: Parameters<typeof join>[1] = {}) {
  const { host, connection } = await join(t, options);
  const session = await host.open(connection, { delegate });
  const cell = await host.start(connection, session, '1');
  return { host, connection, session, cell };
}

async function reply(host: FakeHost) {
  const { id, result } = await host.next('delegate/response');
  return { id, result };
}

const refused = async (host: FakeHost, id: Id, message: string) =>
  assert.deepEqual(await reply(host), { id, result: { status: 'error', message } });

const done = (id: Id, value: unknown) => ({
  id,
  result: { status: 'ok', value: { type: 'tool/result', result: value } },
});
const delivered = (id: Id) => ({ id, result: { status: 'ok', value: { type: 'notification/delivered' } } });

test('a tool call reaches the delegate, and its result the host', async (t) => {
  const delegate = new Recorder(async ({ input }) => ({
    got: input,
    none: undefined,
    bytes: new Uint8Array([1, 2, 3]),
  }));
  const { host } = await scene(t, delegate);
  host.send(toolCall(-3, '1', { a: 1 }));
  assert.deepEqual(await reply(host), done(-3, { got: { a: 1 }, bytes: 'AQID' }));
  assert.deepEqual(delegate.calls, [
    { cellId: '1', callId: 'tool--3', name: 'tool', namespace: null, kind: 'function', input: { a: 1 } },
  ]);
});

test('what a delegate throws becomes an error answer', async (t) => {
  const thrown: unknown[] = [new Error('plain'), 'text', new TypeError(''), 42, Object.create(null)];
  const { host, connection } = await scene(
    t,
    new Recorder(({ input }) => {
      const value = thrown[Number(input)];
      if (input === 0) throw value;
      return Promise.reject(value);
    }),
  );
  const texts = [
    'plain',
    'text',
    'TypeError',
    'code-mode delegate task failed: 42',
    'code-mode delegate task failed: it threw a value that cannot be shown',
  ];
  for (const [i, text] of texts.entries()) {
    host.send(toolCall(i + 1, '1', i));
    await refused(host, i + 1, text);
  }
  assert.equal(connection.failure, undefined);
});

test('an error that is hard to read is an error answer as well', async (t) => {
  const odd = (message: unknown): Error => Object.defineProperty(new Error('x'), 'message', { value: message });
  const getter = Object.defineProperty(new Error('x'), 'message', {
    get: () => {
      throw new Error('never');
    },
  });
  const closed = new Proxy(new Error('x'), {
    getPrototypeOf: () => {
      throw new Error('never');
    },
  });
  const nameless = Object.defineProperty(odd(''), 'name', { value: 3 });
  const thrown: unknown[] = [odd({ code: 5 }), odd(''), getter, closed, nameless, { toString: null }, null];
  const { host, connection } = await scene(t, new Recorder(({ input }) => Promise.reject(thrown[Number(input)])));
  const hidden = 'code-mode delegate task failed: it threw a value that cannot be shown';
  const bare = 'code-mode delegate task failed: an error without a message';
  const texts = ['Error', 'Error', hidden, hidden, bare, hidden, 'code-mode delegate task failed: null'];
  for (const [i, text] of texts.entries()) {
    host.send(toolCall(i + 1, '1', i));
    await refused(host, i + 1, text);
  }
  assert.equal(connection.failure, undefined);
});

test('results that cannot be written down, or are too long, become error answers', async (t) => {
  const cyclic: { self?: unknown } = {};
  cyclic.self = cyclic;
  const results = [cyclic, 5n, 'x'.repeat(64 * 1024 * 1024)];
  const { host, connection } = await scene(t, new Recorder(({ input }) => results[Number(input)]));
  host.send(toolCall(1, '1', 0));
  await refused(host, 1, 'the value is cyclic, or has too many objects or arrays inside each other');
  host.send(toolCall(2, '1', 1));
  await refused(host, 2, 'a bigint cannot be handed to a cell; make it a string or a number');
  host.send(toolCall(3, '1', 2));
  const { result: answered } = await reply(host);
  assert.ok(answered.status === 'error');
  assert.match(
    answered.message,
    /^code-mode delegate response exceeds the IPC frame limit: code-mode IPC frame length \d+ exceeds 67108864 bytes$/,
  );
  assert.equal(connection.failure, undefined);
});

test('calls for unknown cells and sessions are answered, not started, and their ids are not used up', async (t) => {
  const delegate = new Recorder();
  const { host, connection } = await scene(t, delegate);
  host.send(toolCall(1, 'missing'));
  await refused(host, 1, 'code-mode host delegated for unknown cell missing in session session-1');
  host.send(toolCall(1, '1', null, 'nosuch'));
  await refused(host, 1, 'code-mode host delegated for unknown session nosuch');
  assert.equal(delegate.calls.length, 0);
  host.send(toolCall(1, '1'));
  assert.deepEqual(await reply(host), done(1, 'done'));
  host.send(closed('1'), toolCall(2, '1'));
  await refused(host, 2, 'code-mode host delegated for unknown cell 1 in session session-1');
  assert.equal(connection.failure, undefined);
});

test('an answered call id cannot be used again', async (t) => {
  const delegate = new Recorder();
  const { host, connection } = await scene(t, delegate);
  host.send(toolCall(1, '1'));
  await reply(host);
  host.send(toolCall(1, '1'));
  assert.equal((await death(connection)).message, 'duplicate code-mode delegate request ID DelegateRequestId(1)');
  assert.equal(delegate.calls.length, 1);
});

test('a cancelled call sends no late answer', async (t) => {
  let finish = (_: unknown) => {};
  const delegate = new Recorder(
    () =>
      new Promise((resolve) => {
        finish = resolve;
      }),
  );
  const { host, connection } = await scene(t, delegate);
  host.send(toolCall(1, '1'), { type: 'delegate/cancel', id: 77 });
  await turns();
  assert.equal(delegate.signals[0]?.aborted, false);
  host.send({ type: 'delegate/cancel', id: 1 });
  await turns();
  assert.equal(delegate.signals[0]?.aborted, true);
  finish('late');
  await host.silence();
  assert.equal(connection.failure, undefined);
});

for (const [granted, limit] of [
  [[], 1024],
  [['delegate-capacity-4096'], 4096],
] as const) {
  test(`call number ${limit + 1} gets the limit as its answer, and a cancelled call makes room`, async (t) => {
    const delegate = new Recorder(() => new Promise(() => undefined));
    const { host, connection } = await scene(t, delegate, { capabilities: [...granted] });
    host.send(...Array.from({ length: limit }, (_, i) => toolCall(i + 1, '1')));
    host.send(toolCall(limit + 1, '1'));
    await refused(host, limit + 1, `code-mode host exceeded the limit of ${limit} pending delegate calls`);
    host.send({ type: 'delegate/cancel', id: 1 }, toolCall(limit + 2, '1'));
    await turns();
    assert.equal(delegate.calls.length, limit + 1);
    assert.equal(connection.failure, undefined);
  });
}

test('10,000 calls that are never answered cost no more than the limit', async (t) => {
  const delegate = new Recorder(() => new Promise(() => undefined));
  const { host, connection } = await scene(t, delegate);
  host.send(...Array.from({ length: 10_000 }, (_, i) => toolCall(i + 1, '1')));
  for (let id = 1025; id <= 10_000; id++) {
    await refused(host, id, 'code-mode host exceeded the limit of 1024 pending delegate calls');
  }
  assert.equal(delegate.calls.length, 1024);
  assert.equal(connection.failure, undefined);
});

test('1,000 results in one tick are all delivered', async (t) => {
  let release = () => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  const delegate = new Recorder(async ({ input }) => {
    await gate;
    return input;
  });
  const { host, connection } = await scene(t, delegate);
  host.send(...Array.from({ length: 1000 }, (_, i) => toolCall(i + 1, '1', 'x'.repeat(1000))));
  while (delegate.calls.length < 1000) await turns(1);
  release();
  for (let i = 0; i < 1000; i++) await reply(host);
  assert.equal(connection.failure, undefined);
});

test('terminating a cell does not wait for its delegate, which is told once and cannot answer any more', async (t) => {
  let finish = (_: unknown) => {};
  const stuck = new Promise((resolve) => {
    finish = resolve;
  });
  const delegate = new Recorder(() => stuck);
  const { host, connection, session } = await scene(t, delegate);
  host.send(toolCall(1, '1'));
  await turns();
  const terminating = connection.terminate(session, '1');
  const id = await host.request('session/terminate');
  host.send({ type: 'delegate/cancel', id: 1 }, closed('1'), observed(id, '1'));
  await terminating;
  assert.equal(delegate.signals[0]?.aborted, true);
  assert.deepEqual(delegate.closed, ['1']);
  finish('late');
  await host.silence();
  assert.deepEqual(delegate.closed, ['1']);
});

test('shutting a session down does not wait for its delegate', async (t) => {
  const delegate = new Recorder(() => new Promise(() => undefined));
  const { host, connection, session } = await scene(t, delegate);
  host.send(toolCall(1, '1'));
  await turns();
  const shutdown = connection.shutdown(session);
  host.answer(await host.request('session/shutdown'), { type: 'session/closed', sessionId: 'session-1' });
  await shutdown;
  assert.equal(delegate.signals[0]?.aborted, true);
  assert.deepEqual(delegate.closed, ['1']);
});

test('a shutdown that fails after its caller has gone still ends the session', async (t) => {
  const { host, connection, session } = await scene(t, new Recorder());
  connection.shutdown(session).catch(() => undefined);
  host.answer(await host.request('session/shutdown'), { type: 'session/closed', sessionId: 'session-1' });
  await turns();
  assert.equal((await failure(connection.execute(session, code))).message, 'unknown code-mode session session-1');
  await host.silence();
});

test('a lost connection cancels stuck delegates and closes every live cell once, at once', async (t) => {
  const delegate = new Recorder(() => new Promise(() => undefined));
  const { host, connection, session } = await scene(t, delegate);
  await host.start(connection, session, '2');
  host.send(toolCall(1, '1'));
  await turns();
  connection.close();
  assert.equal(delegate.signals[0]?.aborted, true);
  assert.deepEqual(delegate.closed, ['1', '2']);
});

test('what cellClosed throws stops nothing', async (t) => {
  const told: string[] = [];
  const delegate: Delegate = {
    invokeTool: () => null,
    cellClosed: (cell) => {
      told.push(cell);
      throw new Error('from the owner');
    },
  };
  const { host, connection, session } = await scene(t, delegate);
  await host.start(connection, session, '2');
  connection.close();
  assert.deepEqual(told, ['1', '2']);
});

test('a delegate may use the session from inside a call', async (t) => {
  let inner: Promise<unknown> | undefined;
  const delegate = new Recorder(() => {
    inner = connection.terminate({ id: 'session-1', generation: 1 }, '1');
    return 'ok';
  });
  const { host, connection } = await scene(t, delegate);
  host.send(toolCall(1, '1'));
  host.send(observed(await host.request('session/terminate'), '1'));
  assert.deepEqual(await reply(host), done(1, 'ok'));
  await inner;
});

test('early calls wait for their cells, whatever the order in which these start', async (t) => {
  const { host, connection } = await join(t);
  const delegate = new Recorder();
  const session = await host.open(connection, { delegate });
  const [a, b] = [connection.execute(session, code), connection.execute(session, code)];
  const [aId, bId] = [await host.request('session/execute'), await host.request('session/execute')];
  host.send(notification(1, 'A', 'one'), notification(2, 'B', 'two'), notification(3, 'A', 'three'));
  host.send({ type: 'delegate/cancel', id: 3 });
  await host.silence();
  host.answer(bId, { type: 'execution/started', cellId: 'B' });
  await b;
  assert.deepEqual(await reply(host), delivered(2));
  host.answer(aId, { type: 'execution/started', cellId: 'A' });
  await a;
  assert.deepEqual(await reply(host), delivered(1));
  await host.silence();
  assert.deepEqual(
    delegate.notes.map((note) => note.text),
    ['two', 'one'],
  );
});

test('early calls whose cell never comes are answered when no execute is pending', async (t) => {
  const { host, connection } = await join(t);
  const session = await host.open(connection);
  const executing = failure(connection.execute(session, code));
  const id = await host.request('session/execute');
  host.send(notification(1, 'ghost', 'boo'));
  await host.silence();
  host.refuse(id, 'no');
  await executing;
  await refused(host, 1, 'code-mode host delegated for unknown cell ghost in session session-1');
});

test('more than 1,024 early calls end the connection', async (t) => {
  const { host, connection } = await join(t);
  const session = await host.open(connection);
  const executing = failure(connection.execute(session, code));
  await host.request('session/execute');
  host.send(...Array.from({ length: 1025 }, (_, i) => notification(i + 1, 'ghost', 'boo')));
  assert.equal((await death(connection)).message, 'code-mode host exceeded deferred cross-socket message limit');
  await executing;
});

test('notifications of one cell come one after another, those of another cell do not wait for them', async (t) => {
  const log: string[] = [];
  const gates = new Map<string, () => void>();
  const delegate: Delegate = {
    invokeTool: () => null,
    notify: async ({ text }) => {
      log.push(`begin ${text}`);
      await new Promise<void>((resolve) => gates.set(text, resolve));
      log.push(`end ${text}`);
    },
  };
  const { host, connection, session } = await scene(t, delegate);
  await host.start(connection, session, '2');
  host.send(notification(1, '1', 'a'), notification(2, '1', 'b'), notification(3, '2', 'c'), notification(4, '1', 'd'));
  await turns();
  assert.deepEqual(log, ['begin a', 'begin c']);
  host.send({ type: 'delegate/cancel', id: 2 });
  await turns();
  gates.get('a')?.();
  assert.deepEqual(await reply(host), delivered(1));
  await turns();
  assert.deepEqual(log, ['begin a', 'begin c', 'end a', 'begin d']);
  gates.get('d')?.();
  gates.get('c')?.();
  assert.deepEqual([(await reply(host)).id, (await reply(host)).id].sort(), [3, 4]);
});

test('a notification that fails does not stop the next', async (t) => {
  const texts: string[] = [];
  const delegate: Delegate = {
    invokeTool: () => null,
    notify: ({ text }) => {
      texts.push(text);
      if (text === 'bad') throw new Error('no');
    },
  };
  const { host } = await scene(t, delegate);
  host.send(notification(1, '1', 'bad'), notification(2, '1', 'good'));
  await refused(host, 1, 'no');
  assert.deepEqual(await reply(host), delivered(2));
  assert.deepEqual(texts, ['bad', 'good']);
});

test('notifications are delivered when nobody wants them', async (t) => {
  const { host } = await scene(t, { invokeTool: () => null });
  host.send(notification(1, '1', 'hello'));
  assert.deepEqual(await reply(host), delivered(1));
});

test('calls of a cell of a later generation carry its public id', async (t) => {
  const { host, connection } = await join(t);
  const delegate = new Recorder();
  const session = await host.open(connection, { id: 'session-4', generation: 3, delegate });
  const cell = await host.start(connection, session, '1');
  host.send(toolCall(1, '1', null, 'session-4'), notification(2, '1', 'n', 'session-4'), initial(cell.id, result('1')));
  await cell.initial;
  assert.equal(delegate.calls[0]?.cellId, 'g3:1');
  assert.equal(delegate.notes[0]?.cellId, 'g3:1');
});
