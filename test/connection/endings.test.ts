import assert from 'node:assert/strict';
import { stat } from 'node:fs';
import { mock, type TestContext, test } from 'node:test';
import { CodemodeError } from '../../src/errors.js';
import { death, FakeHost, failure, initial, join, observed, result, turns } from './fake-host.js';

const timers = (t: TestContext) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.after(() => mock.timers.reset());
};

const epipe = () => Object.assign(new Error('write EPIPE'), { code: 'EPIPE' });

test('a closed stdout waits for the exit, which is the reason then', async (t) => {
  timers(t);
  const { host, connection } = await join(t);
  host.stdout.end();
  await turns();
  mock.timers.tick(99);
  assert.equal(connection.failure, undefined);
  host.exit('exit status: 3', { data: { stderr: 'oh no' } });
  const reason = await death(connection);
  assert.equal(reason.message, 'code-mode host exited with status exit status: 3');
  assert.equal(reason.code, 'host-exited');
  assert.deepEqual(reason.data, { stderr: 'oh no' });
  assert.equal((reason.cause as CodemodeError).message, 'code-mode host closed its stdout');
});

test('a closed stdout of a host that lives on is the reason after 100 ms', async (t) => {
  timers(t);
  const { host, connection } = await join(t);
  host.stdout.end();
  await turns();
  mock.timers.tick(100);
  const reason = await death(connection);
  assert.equal(reason.message, 'code-mode host closed its stdout');
  assert.equal(reason.code, 'host-closed');
});

test('an exit that came while we were busy is the reason, however long that was', async (t) => {
  const { host, connection } = await join(t);
  host.stdout.end();
  await turns();
  // The system has the answer long before the limit, and we hear of it after that, in the turn of files and processes.
  stat('/', () => host.exit('exit status: 3'));
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
  assert.equal((await death(connection)).message, 'code-mode host exited with status exit status: 3');
});

test('a broken stdin waits for the exit, and is its cause', async (t) => {
  const { host, connection } = await join(t);
  const session = await host.open(connection);
  host.stdin._write = (_chunk, _encoding, done) => done(epipe());
  const waiting = failure(connection.wait(session, '1', { yieldTimeMs: 1 }));
  await turns();
  assert.equal(connection.failure, undefined);
  host.exit('exit status: 7');
  host.stdout.end();
  const error = await waiting;
  assert.equal(error.message, 'code-mode host exited with status exit status: 7');
  assert.equal(
    (error.cause as CodemodeError).message,
    'failed to write code-mode host message: Broken pipe (os error 32)',
  );
});

test('a broken stdin of a host that lives on is the reason', async (t) => {
  timers(t);
  const { host, connection } = await join(t);
  const session = await host.open(connection);
  host.stdin._write = (_chunk, _encoding, done) => done(epipe());
  const waiting = failure(connection.wait(session, '1', { yieldTimeMs: 1 }));
  await turns();
  mock.timers.tick(100);
  const error = await waiting;
  assert.equal(error.message, 'failed to write code-mode host message: Broken pipe (os error 32)');
  assert.equal(error.code, 'write-failed');
});

test('an exit does not wait for a stdout that somebody else holds open', async (t) => {
  timers(t);
  const { host, connection } = await join(t);
  host.exit('exit status: 4');
  await turns();
  mock.timers.tick(49);
  assert.equal(connection.signal.aborted, false);
  mock.timers.tick(1);
  assert.equal((await death(connection)).message, 'code-mode host exited with status exit status: 4');
});

test('answers that were complete before the end are delivered', async (t) => {
  for (const order of ['exit first', 'output first']) {
    const { host, connection } = await join(t);
    const session = await host.open(connection);
    const cell = await host.start(connection, session, '1');
    const waiting = connection.wait(session, '1', { yieldTimeMs: 1 });
    const id = await host.request('session/wait');
    const many = Array.from({ length: 500 }, () => ({ type: 'delegate/cancel', id: 9 }) as const);
    if (order === 'exit first') host.exit('exit status: 0');
    host.send(...many, initial(cell.id, result('1', 'last words')), observed(id, '1'));
    host.stdout.end();
    if (order !== 'exit first') host.exit('exit status: 0');
    assert.deepEqual((await cell.initial).items, [{ type: 'input_text', text: 'last words' }]);
    await waiting;
    assert.equal((await death(connection)).message, 'code-mode host exited with status exit status: 0');
  }
});

test('bad bytes before an exit are the reason, and the only one', async (t) => {
  const { host, connection } = await join(t);
  const session = await host.open(connection);
  const waiting = failure(connection.wait(session, '1', { yieldTimeMs: 1 }));
  host.stdout.end('this is not a frame');
  host.exit('exit status: 1');
  const reason = await death(connection);
  assert.match(reason.message, /^failed to read code-mode host message: code-mode IPC frame length /);
  assert.equal((await waiting).message, reason.message);
  await turns();
  assert.equal(connection.failure, reason);
});

test('a signal that cut a frame is the reason, the cut its cause', async (t) => {
  const { host, connection } = await join(t);
  host.stdout.end(Buffer.from([9, 0, 0, 0, 1]));
  host.exit('signal: 9 (SIGKILL)', { bySignal: true });
  const reason = await death(connection);
  assert.equal(reason.message, 'code-mode host exited with status signal: 9 (SIGKILL)');
  assert.match((reason.cause as CodemodeError).message, /early eof/);
});

test('a read error is held like an end', async (t) => {
  const { host, connection } = await join(t);
  host.stdout.destroy(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }));
  await turns();
  host.exit('exit status: 2');
  const reason = await death(connection);
  assert.match(String((reason.cause as Error).message), /Connection reset by peer \(os error 104\)$/);
});

test('closing gives its reason to all, and later reasons change nothing', async (t) => {
  const host = new FakeHost();
  const { connection } = await join(t, { host });
  const session = await host.open(connection);
  const waits = [1, 2].map(() => failure(connection.wait(session, '1', { yieldTimeMs: 1 })));
  connection.close();
  host.exit('exit status: 9');
  host.stdout.end('garbage');
  connection.close(new CodemodeError('connection-closed', 'again'));
  for (const error of await Promise.all(waits)) assert.equal(error.message, 'code-mode host connection closed');
  await turns();
  assert.equal(connection.failure?.message, 'code-mode host connection closed');
});

test('half a frame outranks a write that failed just before', async (t) => {
  const { host, connection } = await join(t);
  const session = await host.open(connection);
  host.stdin._write = (_chunk, _encoding, done) => done(epipe());
  const waiting = failure(connection.wait(session, '1', { yieldTimeMs: 1 }));
  await turns();
  host.stdout.end(Buffer.from([1]));
  host.exit('exit status: 0');
  assert.match((await waiting).message, /^failed to read code-mode host message: early eof: .*; exit status: 0$/);
});
