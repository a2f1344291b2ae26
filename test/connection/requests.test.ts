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

const limitsCapability = 'session-cell-execution-resource-limits';

test('limits that are set appear in the open frame, which is request 1', async (t) => {
  const { host, connection } = await join(t, { capabilities: [limitsCapability] });
  const seed = { id: 'session-1', generation: 1, delegate: new Recorder() };
  const opened = connection.open(seed, { maxHeapSizeBytes: 1_000_000, maxYieldTimeMs: null });
  assert.deepEqual(await host.next('operation/request'), {
    type: 'operation/request',
    id: 1,
    request: { method: 'session/open', sessionId: 'session-1', cellExecutionLimits: { maxHeapSizeBytes: 1_000_000 } },
  });
  host.answer(1, { type: 'session/ready', sessionId: 'session-1' });
  await opened;
});

test('limits are refused without the capability, no limits never are', async (t) => {
  const { host, connection } = await join(t);
  const seed = { id: 'session-1', generation: 1, delegate: new Recorder() };
  const error = await failure(connection.open(seed, { maxYieldTimeMs: 5 }));
  assert.equal(
    error.message,
    'code-mode host does not support session resource limits: missing `session-cell-execution-resource-limits` capability',
  );
  assert.equal(error.code, 'unsupported');
  await host.silence();
  const opened = connection.open(seed, { maxYieldTimeMs: null });
  assert.deepEqual((await host.next('operation/request')).request, { method: 'session/open', sessionId: 'session-1' });
  host.answer(1, { type: 'session/ready', sessionId: 'session-1' });
  await opened;
});

test('a session cannot be opened twice, not even while it is being opened', async (t) => {
  const { host, connection } = await join(t);
  const seed = { id: 'session-1', generation: 1, delegate: new Recorder() };
  const opened = connection.open(seed);
  assert.equal((await failure(connection.open(seed))).message, 'code-mode session session-1 is already open');
  host.answer(await host.request('session/open'), { type: 'session/ready', sessionId: 'session-1' });
  await opened;
  assert.equal((await failure(connection.open(seed))).message, 'code-mode session session-1 is already open');
});

test('an execute gives a cell, then its first answer, also when the end of the cell comes before that', async (t) => {
  const { host, connection } = await join(t);
  const delegate = new Recorder();
  const session = await host.open(connection, { delegate });
  const cell = await host.start(connection, session, '1');
  assert.equal(cell.cellId, '1');
  host.send(closed('1'), initial(cell.id, result('1', 'hello')));
  assert.deepEqual(await cell.initial, {
    kind: 'result',
    missing: false,
    cellId: '1',
    items: [{ type: 'input_text', text: 'hello' }],
    errorText: null,
    hostDurationMs: 2,
  });
  assert.deepEqual(delegate.closed, ['1']);
});

test('errors of the host are for the caller alone', async (t) => {
  const { host, connection } = await join(t);
  const opening = failure(connection.open({ id: 'session-7', generation: 1, delegate: new Recorder() }));
  host.refuse(await host.request('session/open'), 'no session');
  assert.equal((await opening).message, 'no session');
  const session = await host.open(connection);
  const calls: [string, () => Promise<unknown>][] = [
    ['session/execute', () => connection.execute(session, code)],
    ['session/wait', () => connection.wait(session, '1', { yieldTimeMs: 1 })],
    ['session/terminate', () => connection.terminate(session, '1')],
  ];
  for (const [method, call] of calls) {
    const failing = failure(call());
    host.refuse(await host.request(method), `no ${method}`);
    const error = await failing;
    assert.equal(error.message, `no ${method}`);
    assert.equal(error.code, 'operation-failed');
  }
  const cell = await host.start(connection, session, '1');
  host.send({ type: 'execute/initialResponse', id: cell.id, result: { status: 'error', message: 'no result' } });
  assert.equal((await failure(cell.initial)).message, 'no result');
  assert.equal(connection.failure, undefined);
});

test('an answer that fits no frame is told with the cell and a remedy', async (t) => {
  const { host, connection } = await join(t);
  const session = await host.open(connection);
  const cell = await host.start(connection, session, '1');
  const words = 'code-mode initial response exceeds the IPC frame limit: code-mode IPC frame length 7 exceeds 5 bytes';
  host.send({ type: 'execute/initialResponse', id: cell.id, result: { status: 'error', message: words } });
  const waiting = failure(connection.wait(session, '1', { yieldTimeMs: 1 }));
  host.refuse(await host.request('session/wait'), words);
  for (const error of [await failure(cell.initial), await waiting]) {
    assert.equal(error.message, `${words}; cell 1 must put it out in smaller pieces`);
    assert.deepEqual([error.code, error.data.cellId], ['operation-failed', '1']);
  }
  assert.equal(connection.failure, undefined);
});

test('a missing cell is an observation that says so', async (t) => {
  const { host, connection } = await join(t);
  const session = await host.open(connection);
  const waiting = connection.wait(session, 'gone', { yieldTimeMs: 1, maxOutputTokens: 9 });
  assert.deepEqual((await host.next('operation/request')).request, {
    method: 'session/wait',
    sessionId: 'session-1',
    request: { cell_id: 'gone', yield_time_ms: 1 },
    maxOutputTokens: 9,
  });
  host.send(answer(2, { type: 'wait/completed', outcome: { MissingCell: yielded('gone') } }));
  const { missing, kind } = await waiting;
  assert.deepEqual({ missing, kind }, { missing: true, kind: 'yielded' });
});

test('waits longer than five minutes go out as they are', async (t) => {
  const { host, connection } = await join(t);
  const session = await host.open(connection);
  for (const yieldTimeMs of [300_001, 3_000_000_000]) {
    const waiting = connection.wait(session, '1', { yieldTimeMs });
    const { id, request } = await host.next('operation/request');
    assert.deepEqual(request.method === 'session/wait' && request.request.yield_time_ms, yieldTimeMs);
    await turns();
    host.send(observed(id, '1'));
    await waiting;
  }
});

test('a closed cell id may be used again, and 4,097 cells leave nothing behind', async (t) => {
  const { host, connection } = await join(t);
  const delegate = new Recorder();
  const session = await host.open(connection, { delegate });
  for (let i = 0; i < 4097; i++) {
    const cell = await host.start(connection, session, i % 2 === 0 ? '1' : `cell-${i}`);
    host.send(initial(cell.id, result(cell.cellId)), closed(cell.cellId));
    await cell.initial;
  }
  await turns();
  assert.equal(delegate.closed.length, 4097);
  assert.equal(connection.failure, undefined);
});

test('cell ids of later generations carry the generation, both ways', async (t) => {
  const { host, connection } = await join(t);
  const delegate = new Recorder();
  const session = await host.open(connection, { id: 'session-2', generation: 2, delegate });
  const cell = await host.start(connection, session, '1');
  assert.equal(cell.cellId, 'g2:1');
  const waiting = connection.wait(session, 'g2:1', { yieldTimeMs: 1 });
  const { id, request } = await host.next('operation/request');
  assert.equal(request.method === 'session/wait' && request.request.cell_id, '1');
  host.send(observed(id, '1'));
  assert.equal((await waiting).cellId, 'g2:1');
  for (const stale of ['1', 'g3:1', 'g1:1']) {
    const error = await failure(connection.terminate(session, stale));
    assert.equal(error.message, `cell ${stale} belongs to a stale code-mode host generation`);
    assert.equal(error.code, 'stale-cell');
  }
  await host.silence();
  host.send(closed('1', 'session-2'));
  await turns();
  assert.deepEqual(delegate.closed, ['g2:1']);
});

test('in generation 1 an id with a generation is stale', async (t) => {
  const { host, connection } = await join(t);
  const session = await host.open(connection);
  const error = await failure(connection.wait(session, 'g2:1', { yieldTimeMs: 1 }));
  assert.equal(error.message, 'cell g2:1 belongs to a stale code-mode host generation');
});

test('sessions that are unknown, of another generation, or closing are refused without a frame', async (t) => {
  const { host, connection } = await join(t);
  const session = await host.open(connection);
  const other = { id: 'session-9', generation: 1 };
  assert.equal((await failure(connection.execute(other, code))).message, 'unknown code-mode session session-9');
  assert.equal((await failure(connection.shutdown(other))).message, 'unknown code-mode session session-9');
  const stale = { ...session, generation: 2 };
  assert.equal((await failure(connection.execute(stale, code))).message, 'stale code-mode session generation');
  const shutdown = connection.shutdown(session);
  const id = await host.request('session/shutdown');
  assert.equal((await failure(connection.execute(session, code))).message, 'code-mode session is shutting down');
  assert.equal((await failure(connection.shutdown(session))).message, 'code-mode session is already closing');
  host.answer(id, { type: 'session/closed', sessionId: 'session-1' });
  await shutdown;
  assert.equal((await failure(connection.execute(session, code))).message, 'unknown code-mode session session-1');
  await host.silence();
});

test('a session closed while an execute is pending fails that execute only', async (t) => {
  const { host, connection } = await join(t);
  const session = await host.open(connection);
  const executing = failure(connection.execute(session, code));
  const executeId = await host.request('session/execute');
  const shutdown = connection.shutdown(session);
  host.answer(await host.request('session/shutdown'), { type: 'session/closed', sessionId: 'session-1' });
  await shutdown;
  host.answer(executeId, { type: 'execution/started', cellId: '1' });
  assert.equal((await executing).message, 'code-mode session closed during execute');
  assert.equal(connection.failure, undefined);
});

test('a first answer that a closed session never gave is given up', async (t) => {
  const { host, connection } = await join(t);
  const session = await host.open(connection);
  const cell = await host.start(connection, session, '1');
  const shutdown = connection.shutdown(session);
  host.answer(await host.request('session/shutdown'), { type: 'session/closed', sessionId: 'session-1' });
  await shutdown;
  assert.equal((await failure(cell.initial)).message, 'exec runtime ended unexpectedly');
  host.send(initial(cell.id, result('1'))); // late, but no violation
  await turns();
  assert.equal(connection.failure, undefined);
});

test('a request that does not fit into a frame fails alone, and takes no id', async (t) => {
  const { host, connection } = await join(t);
  const session = await host.open(connection);
  const source = 'x'.repeat(64 * 1024 * 1024);
  const error = await failure(connection.execute(session, { ...code, source }));
  assert.match(
    error.message,
    /^code-mode execute request exceeds the IPC frame limit: code-mode IPC frame length \d+ exceeds 67108864 bytes$/,
  );
  assert.equal(error.code, 'frame-too-large');
  const waiting = failure(connection.wait(session, source, { yieldTimeMs: 1 }));
  assert.match((await waiting).message, /^code-mode request exceeds the IPC frame limit: /);
  await host.silence();
  assert.equal((await host.start(connection, session, '1')).id, 2);
});

test('numbers that the wire cannot carry are refused here', async (t) => {
  const { host, connection } = await join(t);
  const session = await host.open(connection);
  const execute = (more: object) => failure(connection.execute(session, { ...code, ...more }));
  assert.equal(
    (await execute({ max_output_tokens: 2 ** 31 })).message,
    'failed to encode code-mode execute request: maxOutputTokens must be an integer from 0 to 2147483647, got 2147483648',
  );
  assert.equal((await execute({ yield_time_ms: 1.5 })).code, 'invalid-argument');
  for (const yieldTimeMs of [-1, Number.NaN, Number.POSITIVE_INFINITY]) {
    assert.equal((await failure(connection.wait(session, '1', { yieldTimeMs }))).code, 'invalid-argument');
  }
  await host.silence();
});

test('six calls in flight all fail at once when the host is lost, and later calls fail without a frame', async (t) => {
  const { host, connection } = await join(t);
  const session = await host.open(connection);
  const calls = Array.from({ length: 6 }, () => failure(connection.wait(session, '1', { yieldTimeMs: 60_000 })));
  await turns();
  host.stdout.end();
  host.exit('signal: 9 (SIGKILL)', { bySignal: true });
  for (const error of await Promise.all(calls)) {
    assert.equal(error.message, 'code-mode host exited with status signal: 9 (SIGKILL)');
    assert.equal(error.code, 'host-exited');
  }
  assert.equal((await failure(connection.wait(session, '1', { yieldTimeMs: 1 }))).code, 'host-exited');
});

test('10,000 waits at once are all sent and all answered', async (t) => {
  const { host, connection } = await join(t);
  const session = await host.open(connection);
  const waits = Array.from({ length: 10_000 }, () => connection.wait(session, '1', { yieldTimeMs: 1 }));
  for (let i = 0; i < 10_000; i++) host.send(observed(await host.request('session/wait'), '1'));
  await Promise.all(waits);
});
