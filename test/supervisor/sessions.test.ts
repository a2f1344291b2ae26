import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resolveOptions } from '../../src/supervisor/host-options.js';
import { HostSlot } from '../../src/supervisor/host-slot.js';
import { Session } from '../../src/supervisor/session.js';
import { failure, Recorder, turns } from '../connection/fake-host.js';
import { eventually, isAlive } from '../support/processes.js';
import { but, silent, supervise } from './hosts.js';

test('a session runs cells on a host that says who it is', async (t) => {
  const { host, events, pids } = supervise(t, but("granted = ['x'];"));
  const info = await host.connect();
  assert.deepEqual(
    { ...info, handshakeMs: 0 },
    {
      pid: pids()[0],
      program: process.execPath,
      version: 1,
      capabilities: ['x'],
      codec: 'json',
      handshakeMs: 0,
    },
  );
  const session = await host.openSession({ delegate: silent });
  assert.equal(session.id, 'session-1');
  const cell = await session.execute({ source: 'hello' });
  assert.equal(cell.id, '1');
  assert.deepEqual((await cell.initial).items, [{ type: 'input_text', text: 'hello' }]);
  await session.shutdown();
  await host.close();
  assert.deepEqual(
    events.map(({ type }) => type),
    ['spawned', 'ready', 'exited'],
  );
});

test('ten sessions at once share one host', async (t) => {
  const { host, pids } = supervise(t, but());
  const sessions = await Promise.all(Array.from({ length: 10 }, () => host.openSession({ delegate: silent })));
  assert.equal(pids().length, 1);
  assert.equal(new Set(sessions.map(({ id }) => id)).size, 10);
  await sessions[0]!.shutdown();
  assert.equal((await (await sessions[1]!.execute({ source: 'x' })).initial).kind, 'result');
});

test('a lost host fails every call with one reason, closes its cells, and is replaced on the next use', async (t) => {
  const { host, pids, events } = supervise(t, but());
  const delegates = [new Recorder(), new Recorder()];
  const [a, b] = [
    await host.openSession({ delegate: delegates[0]! }),
    await host.openSession({ delegate: delegates[1]! }),
  ];
  const cells = [await a.execute({ source: 'forever' }), await b.execute({ source: 'forever' })];
  const waits = [failure(a.wait('1', { yieldTimeMs: 60_000 })), failure(b.wait('2', { yieldTimeMs: 60_000 }))];
  await cells[1]!.initial;
  process.kill(pids()[0]!, 'SIGKILL');
  for (const error of await Promise.all(waits)) {
    assert.equal(error.message, 'code-mode host exited with status signal: 9 (SIGKILL)');
    assert.equal(error.code, 'host-exited');
    assert.deepEqual(error.data.exit, { code: null, signal: 'SIGKILL' });
  }
  assert.deepEqual([delegates[0]!.closed, delegates[1]!.closed], [['1'], ['2']]);
  assert.ok(events.some((event) => event.type === 'dead' && event.error.code === 'host-exited'));
  const cell = await b.execute({ source: 'again' });
  assert.equal(cell.id, 'g2:1');
  assert.equal(b.id, 'session-3');
  assert.equal((await cell.initial).cellId, 'g2:1');
  assert.equal(pids().length, 2);
  assert.equal(isAlive(pids()[0]!), false);
  const stale = await failure(b.wait('2', { yieldTimeMs: 1 }));
  assert.equal(stale.message, 'cell 2 belongs to a stale code-mode host generation');
  // Nothing of `a` has asked for a new host yet: its cell is lost for the reason for which the host was lost.
  assert.equal((await failure(a.terminate('1'))).message, 'code-mode host exited with status signal: 9 (SIGKILL)');
  assert.equal(a.id, 'session-1');
  await a.execute({ source: 'again' });
  assert.equal(a.id, 'session-4');
  assert.equal((await failure(a.terminate('1'))).message, 'cell 1 belongs to a stale code-mode host generation');
  await Promise.all([a.shutdown(), b.shutdown()]);
  assert.equal(pids().length, 2);
});

test('generation and session number grow with failed openings too', async (t) => {
  const { host } = supervise(
    t,
    but(
      "let opens = 0; on = (m) => m.request?.method === 'session/open' && ++opens === 2 ? send({ type: 'operation/response', id: m.id, result: { status: 'error', message: 'no session now' } }) : m.request?.method === 'session/wait' ? process.exit(3) : normal(m);",
    ),
  );
  const session = await host.openSession({ delegate: silent });
  await failure(session.wait('1', { yieldTimeMs: 1 }));
  const other = await host.openSession({ delegate: silent });
  assert.equal(other.id, 'session-2');
  assert.equal((await failure(session.execute({ source: '' }))).message, 'no session now');
  assert.equal(session.id, 'session-3');
  assert.equal((await session.execute({ source: '' })).id, 'g3:1');
  assert.equal(session.id, 'session-4');
});

test('a failed opening of a new session is reported, and the host goes on', async (t) => {
  const { host, pids } = supervise(
    t,
    but(
      "let opens = 0; on = (m) => m.request?.method === 'session/open' && ++opens === 1 ? send({ type: 'operation/response', id: m.id, result: { status: 'error', message: 'fx refuses' } }) : normal(m);",
    ),
  );
  assert.equal((await failure(host.openSession({ delegate: silent }))).message, 'fx refuses');
  assert.equal((await host.openSession({ delegate: silent })).id, 'session-2');
  assert.equal(pids().length, 1);
});

test('limits need the capability; without it the host stays usable', async (t) => {
  const { host } = supervise(t, but());
  const error = await failure(host.openSession({ delegate: silent, limits: { maxHeapSizeBytes: 5 } }));
  assert.equal(
    error.message,
    'code-mode host does not support session resource limits: missing `session-cell-execution-resource-limits` capability',
  );
  await host.openSession({ delegate: silent, limits: {} });
});

test('a shutdown is shared, and refuses every later use', async (t) => {
  const { host } = supervise(t, but());
  const session = await host.openSession({ delegate: silent });
  const first = session.shutdown();
  assert.equal(session.shutdown(), first);
  const error = await failure(session.execute({ source: '' }));
  assert.equal(error.message, 'code mode session is shutting down');
  assert.equal(error.code, 'session-closed');
  await first;
  assert.equal((await failure(session.wait('1', { yieldTimeMs: 1 }))).message, 'code mode session is shutting down');
});

test('a shutdown over a dead connection returns, with the cells closed, and starts nothing', async (t) => {
  const { host, pids } = supervise(
    t,
    but("on = (m) => m.request?.method === 'session/wait' ? process.exit(3) : normal(m);"),
  );
  const delegate = new Recorder();
  const session = await host.openSession({ delegate });
  await (await session.execute({ source: 'forever' })).initial;
  const error = await failure(session.wait('1', { yieldTimeMs: 1 }));
  assert.equal(error.message, 'code-mode host exited with status exit status: 3');
  await session.shutdown();
  assert.deepEqual(delegate.closed, ['1']);
  assert.equal(pids().length, 1);
});

test('a shutdown that the host refuses ends the host, with its words for every session', async (t) => {
  const { host } = supervise(
    t,
    but(
      "on = (m) => m.request?.method === 'session/shutdown' ? send({ type: 'operation/response', id: m.id, result: { status: 'error', message: 'cannot close' } }) : normal(m);",
    ),
  );
  const [a, b] = [await host.openSession({ delegate: silent }), await host.openSession({ delegate: silent })];
  await (await b.execute({ source: 'forever' })).initial;
  const waiting = failure(b.wait('1', { yieldTimeMs: 60_000 }));
  assert.equal((await failure(a.shutdown())).message, 'cannot close');
  assert.equal((await waiting).message, 'cannot close');
});

test('a caller that gives up while the session is opened again does not stop it', async (t) => {
  const { host, pids } = supervise(
    t,
    but("on = (m) => m.request?.method === 'session/wait' ? process.exit(3) : normal(m);"),
  );
  const session = await host.openSession({ delegate: silent });
  await failure(session.wait('1', { yieldTimeMs: 1 }));
  const caller = new AbortController();
  const given = failure(session.execute({ source: 'a' }, { signal: caller.signal }));
  const other = session.execute({ source: 'b' });
  caller.abort();
  assert.equal((await given).code, 'cancelled');
  assert.equal((await other).id, 'g2:1');
  assert.equal(pids().length, 2);
});

test('an opening that was given up is closed at the host when it arrives', async (t) => {
  const { host, events } = supervise(
    t,
    but(
      "on = (m) => { if (m.request?.method === 'session/open' || m.request?.method === 'session/shutdown') console.error(m.request.method); normal(m); };",
    ),
  );
  await host.connect();
  const caller = new AbortController();
  const opening = failure(host.openSession({ delegate: silent, signal: caller.signal }));
  caller.abort();
  assert.equal((await opening).code, 'cancelled');
  const lines = () => events.flatMap((event) => (event.type === 'stderr' ? [event.line] : []));
  await eventually(() => lines().includes('session/shutdown'));
  assert.deepEqual(lines(), ['session/open', 'session/shutdown']);
});

test('close() is shared, ends sessions and host, and refuses every later use', async (t) => {
  const { host, pids } = supervise(t, but());
  const delegate = new Recorder();
  const session = await host.openSession({ delegate });
  await (await session.execute({ source: 'forever' })).initial;
  assert.equal(host.close(), host.close());
  await host.close();
  assert.deepEqual(delegate.closed, ['1']);
  assert.equal(isAlive(pids()[0]!), false);
  assert.equal((await failure(host.connect())).message, 'code-mode host connection closed');
  assert.equal((await failure(host.openSession({ delegate }))).code, 'connection-closed');
  assert.equal((await failure(session.execute({ source: '' }))).code, 'session-closed');
});

test('close() before any use starts nothing', async (t) => {
  const { host, pids } = supervise(t, but());
  await host.close();
  assert.deepEqual(pids(), []);
});

test('close() is bounded when the host does not answer', async (t) => {
  const { host, pids } = supervise(t, {
    ...but("on = (m) => { if (m.request?.method !== 'session/shutdown') normal(m); };"),
    limits: { shutdownMs: 200 },
  });
  await host.openSession({ delegate: silent });
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const closing = host.close();
  await turns();
  t.mock.timers.tick(199);
  await turns();
  assert.equal(isAlive(pids()[0]!), true);
  t.mock.timers.tick(1);
  await closing;
  assert.equal(isAlive(pids()[0]!), false);
});

test('an event listener that throws changes nothing', async (t) => {
  const { Host } = await import('../../src/supervisor/host.js');
  const host = new Host({
    ...but(),
    onEvent: () => {
      throw new Error('from the listener');
    },
  });
  t.after(() => host.close());
  await host.connect();
});

test('the host gets the variables it is given, and of ours only what is needed', async (t) => {
  process.env.CODEMODE_TEST_SECRET = 'secret';
  t.after(() => delete process.env.CODEMODE_TEST_SECRET);
  const { host, events } = supervise(t, {
    ...but('console.error(JSON.stringify([process.env.GIVEN, process.env.CODEMODE_TEST_SECRET ?? null]));'),
    env: { set: { GIVEN: 'yes' } },
  });
  await host.connect();
  await eventually(() => events.some((event) => event.type === 'stderr' && event.line === '["yes",null]'));
});

test('a session that is shut down before its first use starts no host', async () => {
  const events: string[] = [];
  const slot = new HostSlot(resolveOptions({ ...but(), onEvent: ({ type }) => events.push(type) }));
  const session = new Session(slot, { delegate: silent });
  await session.shutdown();
  assert.equal((await failure(session.execute({ source: '' }))).message, 'code mode session is shutting down');
  await slot.close();
  assert.deepEqual(events, []);
});

test('a session that is shut down while it is being opened is opened first, then closed', async (t) => {
  const events: string[] = [];
  const script =
    "on = (m) => { if (m.request) console.error(m.request.method); if (m.request?.method === 'session/open') setTimeout(() => normal(m), 20); else normal(m); };";
  const slot = new HostSlot(
    resolveOptions({ ...but(script), onEvent: (event) => event.type === 'stderr' && events.push(event.line) }),
  );
  t.after(() => slot.close());
  const session = new Session(slot, { delegate: silent });
  const executing = failure(session.execute({ source: '' }));
  await session.shutdown();
  assert.equal((await executing).message, 'code mode session is shutting down');
  await eventually(() => events.length === 2);
  assert.deepEqual(events, ['session/open', 'session/shutdown']);
});
