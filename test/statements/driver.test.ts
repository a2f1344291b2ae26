import assert from 'node:assert/strict';
import { mock, type TestContext, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Delegate } from '../../src/connection/delegate.js';
import {
  type answer,
  closed,
  code,
  death,
  type FakeHost,
  failure,
  initial,
  join,
  notification,
  Recorder,
  result,
  toolCall,
  turns,
} from '../connection/fake-host.js';

// Statements about the driver that no other test holds whole: 4, 7, 8, 17, 18, 22, 24, 27, 118 and 119.

const timers = (t: TestContext) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.after(() => mock.timers.reset());
};

/** A cell of session-1 with a tool that works until `finish`. */
async function stuck(t: TestContext) {
  let finish: (value: unknown) => void = () => undefined;
  const work = new Promise((resolve) => {
    finish = resolve;
  });
  const delegate = new Recorder(() => work);
  const { host, connection } = await join(t);
  const session = await host.open(connection, { delegate });
  await host.start(connection, session, '1');
  host.send(toolCall(1, '1'));
  await turns();
  assert.equal(delegate.signals[0]?.aborted, false);
  return { host, connection, session, delegate, finish };
}

test('4: the id of a cancelled call used again ends the connection and starts nothing', async (t) => {
  const { host, connection, delegate, finish } = await stuck(t);
  host.send({ type: 'delegate/cancel', id: 1 });
  await turns();
  finish('late');
  await host.silence();
  host.send(toolCall(1, '1'));
  assert.equal((await death(connection)).message, 'duplicate code-mode delegate request ID DelegateRequestId(1)');
  assert.equal(delegate.calls.length, 1);
});

type Stuck = Awaited<ReturnType<typeof stuck>>;

const endings: readonly (readonly [title: string, act: (scene: Stuck) => Promise<unknown>])[] = [
  [
    '7: a terminate, which is answered,',
    async ({ host, connection, session }) => {
      const terminating = connection.terminate(session, '1');
      const id = await host.request('session/terminate');
      const Terminated = { cell_id: '1', content_items: [], code_mode_host_duration_ns: 0 };
      host.send({ type: 'delegate/cancel', id: 1 }, closed('1'));
      host.answer(id, { type: 'wait/completed', outcome: { LiveCell: { Terminated } } });
      assert.equal((await terminating).kind, 'terminated');
    },
  ],
  [
    '8: a shutdown, which is answered,',
    async ({ host, connection, session }) => {
      const shutdown = connection.shutdown(session);
      host.answer(await host.request('session/shutdown'), { type: 'session/closed', sessionId: 'session-1' });
      await shutdown;
    },
  ],
  [
    '24: the loss of the host',
    async ({ host, connection }) => {
      host.exit('exit status: 3');
      host.stdout.end();
      await death(connection);
    },
  ],
];

for (const [title, act] of endings) {
  test(`${title} does not wait for a stuck tool, whose end is of no effect then`, async (t) => {
    const scene = await stuck(t);
    await act(scene);
    assert.deepEqual([scene.delegate.signals[0]?.aborted, scene.delegate.closed], [true, ['1']]);
    scene.finish('late');
    await scene.host.silence();
    assert.deepEqual(scene.delegate.closed, ['1']);
  });
}

/** From now on what is sent stays in our queue. */
async function stopReading(host: FakeHost, send: () => Promise<unknown>): Promise<void> {
  host.stdin.pause();
  host.stdin.removeAllListeners('data');
  send().catch(() => undefined);
  await turns();
}

for (const [number, kind, limitMs] of [
  [17, 'wait', 61_001],
  [18, 'terminate', 60_000],
] as const) {
  test(`${number}: a ${kind} that never leaves the queue ends the connection after ${limitMs} ms`, async (t) => {
    timers(t);
    const { host, connection } = await join(t);
    const session = await host.open(connection);
    const source = 'x'.repeat(100_000);
    await stopReading(host, () => connection.wait(session, source, { yieldTimeMs: 1_000_000 }));
    const written = host.stdin.writableLength + host.stdin.readableLength;
    const call =
      kind === 'wait' ? connection.wait(session, '1', { yieldTimeMs: 1 }) : connection.terminate(session, '1');
    const late = failure(call);
    await turns();
    assert.equal(host.stdin.writableLength + host.stdin.readableLength, written);
    mock.timers.tick(limitMs - 1);
    assert.equal(connection.failure, undefined);
    mock.timers.tick(1);
    assert.equal((await late).message, `code-mode host timed out waiting for ${kind} response`);
    assert.equal(connection.signal.aborted, true);
  });
}

test('22: memory follows the cells that live, not those that have been', async (t) => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const { host, connection } = await join(t);
  let ended = 0;
  const delegate: Delegate = { invokeTool: () => null, cellClosed: () => void ended++ };
  const session = await host.open(connection, { delegate });
  const used = async (cells: number): Promise<number> => {
    for (let n = 0; n < cells; n++) {
      const cell = await host.start(connection, session, `cell-${ended}`);
      host.send(initial(cell.id, result(cell.cellId)), closed(cell.cellId));
      await cell.initial;
    }
    const seen: number[] = [];
    for (let round = 0; round < 3; round++) {
      await turns();
      collect();
      seen.push(process.memoryUsage().heapUsed);
    }
    return Math.min(...seen);
  };
  // What is compiled is paid for by then.
  const before = await used(4_097);
  const grown = (await used(8 * 4_097)) - before;
  assert.equal(ended, 9 * 4_097);
  // Less than an id takes in a set.
  assert.ok(grown < 40 * 8 * 4_097, `${grown} bytes`);
});

test('27: nothing starts once the connection has ended: no call behind the fault, no notification that waited', async (t) => {
  const { host, connection } = await join(t);
  const texts: string[] = [];
  let release = () => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  let tools = 0;
  const delegate: Delegate = {
    invokeTool: () => tools++,
    notify: async ({ text }) => {
      texts.push(text);
      await gate;
    },
  };
  const session = await host.open(connection, { delegate });
  await host.start(connection, session, '1');
  host.send(notification(1, '1', 'one'), notification(2, '1', 'two'), closed('ghost'), toolCall(3, '1'));
  await death(connection);
  release();
  await host.silence();
  assert.deepEqual([texts, tools], [['one'], 0]);
});

test('118: a yield time that no timer can count is no limit, and Node is not asked to count it', async (t) => {
  timers(t);
  const { host, connection } = await join(t);
  const session = await host.open(connection);
  const waiting = connection.wait(session, '1', { yieldTimeMs: 3_000_000_000 });
  const id = await host.request('session/wait');
  for (let n = 0; n < 3; n++) mock.timers.tick(2 ** 31 - 1);
  assert.equal(connection.failure, undefined);
  host.answer(id, { type: 'wait/completed', outcome: { LiveCell: result('1') } });
  await waiting;
});

test('119: open, execute, first result and shutdown wait forever where that is asked for', async (t) => {
  timers(t);
  const none = Number.POSITIVE_INFINITY;
  const limits = { openMs: none, executeMs: none, firstResultGraceMs: none, shutdownMs: none };
  const { host, connection } = await join(t, { limits });
  const seed = { id: 'session-1', generation: 1, delegate: new Recorder() };
  const late = async <T>(method: string, call: Promise<T>, value: Parameters<typeof answer>[1]): Promise<T> => {
    const id = await host.request(method);
    mock.timers.tick(2 ** 31 - 1);
    assert.equal(connection.failure, undefined);
    host.answer(id, value);
    return call;
  };
  await late('session/open', connection.open(seed), { type: 'session/ready', sessionId: 'session-1' });
  const executing = connection.execute(seed, code);
  const cell = await late('session/execute', executing, { type: 'execution/started', cellId: '1' });
  mock.timers.tick(2 ** 31 - 1);
  host.send(initial(cell.requestId, result('1')));
  await cell.initial;
  await late('session/shutdown', connection.shutdown(seed), { type: 'session/closed', sessionId: 'session-1' });
});
