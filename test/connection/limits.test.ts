import assert from 'node:assert/strict';
import { mock, type TestContext, test } from 'node:test';
import type { Connection } from '../../src/connection/connection.js';
import { code, failure, initial, join, observed, Recorder, result, turns } from './fake-host.js';

const timers = (t: TestContext) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.after(() => mock.timers.reset());
};

type Ref = { id: string; generation: number };

const requests: [string, (connection: Connection, session: Ref) => Promise<unknown>, number, string][] = [
  [
    'wait',
    (c, s) => c.wait(s, '1', { yieldTimeMs: 500 }),
    61_500,
    'code-mode host timed out waiting for wait response',
  ],
  ['terminate', (c, s) => c.terminate(s, '1'), 60_000, 'code-mode host timed out waiting for terminate response'],
  [
    'execute',
    (c, s) => c.execute(s, code),
    60_000,
    'code-mode host did not start a cell within 60000 ms (limit executeMs)',
  ],
  [
    'shutdown',
    (c, s) => c.shutdown(s),
    10_000,
    'code-mode host did not shut a session down within 10000 ms (limit shutdownMs)',
  ],
  [
    'open',
    (c) => c.open({ id: 'session-2', generation: 1, delegate: new Recorder() }),
    60_000,
    'code-mode host did not open a session within 60000 ms (limit openMs)',
  ],
];

for (const [kind, call, limitMs, text] of requests) {
  test(`a host that never answers ${kind} is given up after ${limitMs} ms, by everybody`, async (t) => {
    timers(t);
    const { host, connection } = await join(t);
    const session = await host.open(connection);
    const other = failure(connection.wait(session, 'other', { yieldTimeMs: 1_000_000 }));
    await host.request('session/wait');
    const late = failure(call(connection, session));
    await host.request(`session/${kind}`);
    mock.timers.tick(limitMs - 1);
    assert.equal(connection.failure, undefined);
    mock.timers.tick(1);
    for (const error of [await late, await other]) {
      assert.equal(error.message, text);
      assert.equal(error.code, 'operation-timeout');
    }
    assert.equal(connection.signal.aborted, true);
    await host.silence();
  });
}

test('a first answer is due after yield time, one second and the limit', async (t) => {
  timers(t);
  const { host, connection } = await join(t, { limits: { firstResultGraceMs: 5_000 } });
  const session = await host.open(connection);
  const executing = connection.execute(session, { ...code, yield_time_ms: 2_000 });
  host.answer(await host.request('session/execute'), { type: 'execution/started', cellId: '1' });
  const { initial: first } = await executing;
  mock.timers.tick(7_999);
  assert.equal(connection.failure, undefined);
  mock.timers.tick(1);
  assert.equal(
    (await failure(first)).message,
    'code-mode host gave no first result of cell 1 within 8000 ms (limit firstResultGraceMs)',
  );
});

test('a wait that is held back is under its limit as well', async (t) => {
  timers(t);
  const { host, connection } = await join(t);
  const session = await host.open(connection);
  const caller = new AbortController();
  const first = failure(connection.wait(session, '1', { yieldTimeMs: 1 }, caller.signal));
  await host.request('session/wait');
  caller.abort();
  await first;
  await host.next('operation/cancel');
  const held = failure(connection.wait(session, '1', { yieldTimeMs: 1 }));
  mock.timers.tick(61_001);
  assert.equal((await held).message, 'code-mode host timed out waiting for wait response');
  await host.silence();
});

test('an answer in time leaves no timer behind', async (t) => {
  const running = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const before = running();
  const { host, connection } = await join(t);
  const session = await host.open(connection);
  const cell = await host.start(connection, session, '1');
  const waiting = connection.wait(session, '1', { yieldTimeMs: 1 });
  host.send(observed(await host.request('session/wait'), '1'), initial(cell.id, result('1')));
  await waiting;
  await cell.initial;
  await turns();
  assert.equal(running(), before);
});

test('no limit means none', async (t) => {
  timers(t);
  const { host, connection } = await join(t, { limits: { executeMs: Number.POSITIVE_INFINITY } });
  const session = await host.open(connection);
  const executing = connection.execute(session, code);
  const id = await host.request('session/execute');
  mock.timers.tick(2 ** 31 - 1);
  assert.equal(connection.failure, undefined);
  host.answer(id, { type: 'execution/started', cellId: '1' });
  await executing;
});
