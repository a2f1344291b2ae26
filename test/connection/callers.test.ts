import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  answer,
  closed,
  code,
  failure,
  initial,
  join,
  observed,
  Recorder,
  result,
  turns,
  yielded,
} from './fake-host.js';

test('a call whose signal has fired already sends nothing', async (t) => {
  const { host, connection } = await join(t);
  const session = await host.open(connection);
  const signal = AbortSignal.abort('why');
  for (const call of [
    () => connection.execute(session, code, signal),
    () => connection.wait(session, '1', { yieldTimeMs: 1 }, signal),
    () => connection.open({ id: 'x', generation: 1, delegate: new Recorder() }, {}, signal),
  ]) {
    const error = await failure(call());
    assert.equal(error.code, 'cancelled');
    assert.equal(error.message, 'code-mode request cancelled');
    assert.equal(error.cause, 'why');
  }
  await host.silence();
});

test('an open that was given up is closed again when the host opens it', async (t) => {
  const { host, connection } = await join(t);
  const caller = new AbortController();
  const seed = { id: 'session-1', generation: 1, delegate: new Recorder() };
  const opening = failure(connection.open(seed, {}, caller.signal));
  const id = await host.request('session/open');
  caller.abort();
  assert.equal((await opening).code, 'cancelled');
  assert.deepEqual(await host.next('operation/cancel'), { type: 'operation/cancel', id });
  host.answer(id, { type: 'session/ready', sessionId: 'session-1' });
  const shutdown = await host.request('session/shutdown');
  assert.equal((await failure(connection.execute(seed, code))).message, 'code-mode session is shutting down');
  host.answer(shutdown, { type: 'session/closed', sessionId: 'session-1' });
  await turns();
  assert.equal((await failure(connection.execute(seed, code))).message, 'unknown code-mode session session-1');
  assert.equal(connection.failure, undefined);
});

test('an execute that was given up while pending is cancelled once, and terminated when it starts anyway', async (t) => {
  const { host, connection } = await join(t);
  const delegate = new Recorder();
  const session = await host.open(connection, { delegate });
  const caller = new AbortController();
  const executing = failure(connection.execute(session, code, caller.signal));
  const id = await host.request('session/execute');
  caller.abort();
  caller.abort();
  await executing;
  assert.deepEqual(await host.next('operation/cancel'), { type: 'operation/cancel', id });
  await host.silence();
  host.answer(id, { type: 'execution/started', cellId: '1' });
  const terminate = await host.request('session/terminate');
  host.send(initial(id, result('1')), observed(terminate, '1'), closed('1'));
  await turns();
  assert.deepEqual(delegate.closed, ['1']);
  assert.equal(connection.failure, undefined);
  await host.silence();
});

test('an execute that was given up and refused is over', async (t) => {
  const { host, connection } = await join(t);
  const session = await host.open(connection);
  const caller = new AbortController();
  const executing = failure(connection.execute(session, code, caller.signal));
  const id = await host.request('session/execute');
  caller.abort();
  await executing;
  await host.next('operation/cancel');
  host.refuse(id, 'code-mode request cancelled');
  await host.silence();
  assert.equal(connection.failure, undefined);
});

test('an execute that was answered but not taken is cancelled and terminated', async (t) => {
  const { host, connection } = await join(t);
  const session = await host.open(connection);
  const caller = new AbortController();
  const executing = failure(connection.execute(session, code, caller.signal));
  const id = await host.request('session/execute');
  // The answer is handled synchronously here; the caller goes on only after this tick.
  host.stdout.on('data', () => caller.abort());
  host.answer(id, { type: 'execution/started', cellId: '1' });
  assert.equal((await executing).code, 'cancelled');
  assert.deepEqual(await host.next('operation/cancel'), { type: 'operation/cancel', id });
  const terminate = await host.request('session/terminate');
  host.send(initial(id, result('1')), observed(terminate, '1'), closed('1'));
  await turns();
  assert.equal(connection.failure, undefined);
});

test('an execute that was taken is not cancelled any more', async (t) => {
  const { host, connection } = await join(t);
  const session = await host.open(connection);
  const caller = new AbortController();
  const executing = connection.execute(session, code, caller.signal);
  const id = await host.request('session/execute');
  host.answer(id, { type: 'execution/started', cellId: '1' });
  const cell = await executing;
  caller.abort();
  await host.silence();
  host.send(initial(id, result('1')));
  assert.equal((await cell.initial).kind, 'result');
});

test('the next wait on a cell goes out only when a cancelled one was answered, and in order', async (t) => {
  const { host, connection } = await join(t);
  const session = await host.open(connection);
  const caller = new AbortController();
  const first = failure(connection.wait(session, '1', { yieldTimeMs: 1 }, caller.signal));
  const firstId = await host.request('session/wait');
  caller.abort();
  await first;
  await host.next('operation/cancel');
  const second = connection.wait(session, '1', { yieldTimeMs: 2 });
  const third = connection.wait(session, '1', { yieldTimeMs: 3 });
  const otherCell = connection.wait(session, '2', { yieldTimeMs: 4 });
  const otherId = await host.request('session/wait');
  await host.silence();
  host.send(observed(firstId, '1'));
  const [secondId, thirdId] = [await host.request('session/wait'), await host.request('session/wait')];
  host.send(observed(secondId, '1'), observed(thirdId, '1'), observed(otherId, '2'));
  await Promise.all([second, third, otherCell]);
});

test('several waits on one cell may be under way', async (t) => {
  const { host, connection } = await join(t);
  const session = await host.open(connection);
  const waits = [1, 2, 3].map((yieldTimeMs) => connection.wait(session, '1', { yieldTimeMs }));
  for (const _ of waits) host.send(observed(await host.request('session/wait'), '1'));
  await Promise.all(waits);
});

test('a wait that was held back and then given up is never sent', async (t) => {
  const { host, connection } = await join(t);
  const session = await host.open(connection);
  const [one, two] = [new AbortController(), new AbortController()];
  const first = failure(connection.wait(session, '1', { yieldTimeMs: 1 }, one.signal));
  const firstId = await host.request('session/wait');
  one.abort();
  await first;
  await host.next('operation/cancel');
  const held = failure(connection.wait(session, '1', { yieldTimeMs: 1 }, two.signal));
  const lost = failure(connection.wait(session, '1', { yieldTimeMs: 1 }));
  two.abort();
  assert.equal((await held).message, 'code-mode request cancelled');
  connection.close();
  assert.equal((await lost).message, 'code-mode host connection closed');
  host.send(observed(firstId, '1'));
  await host.silence();
});

test('giving up after the connection died changes nothing', async (t) => {
  const { host, connection } = await join(t);
  const session = await host.open(connection);
  const caller = new AbortController();
  const waiting = failure(connection.wait(session, '1', { yieldTimeMs: 1 }, caller.signal));
  await host.request('session/wait');
  connection.close();
  caller.abort();
  assert.equal((await waiting).code, 'connection-closed');
  await host.silence();
});

test('listeners of calls that are over are taken off their signal', async (t) => {
  const { host, connection } = await join(t);
  const session = await host.open(connection);
  let listeners = 0;
  const { signal } = new AbortController();
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = (...args: Parameters<typeof add>) => {
    listeners++;
    add(...args);
  };
  signal.removeEventListener = (...args: Parameters<typeof remove>) => {
    listeners--;
    remove(...args);
  };
  for (let i = 0; i < 20; i++) {
    const waiting = connection.wait(session, '1', { yieldTimeMs: 1 }, signal);
    host.send(
      answer(await host.request('session/wait'), { type: 'wait/completed', outcome: { LiveCell: yielded('1') } }),
    );
    await waiting;
  }
  assert.equal(listeners, 0);
});
