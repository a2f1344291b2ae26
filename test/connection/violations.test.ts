import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Connection } from '../../src/connection/connection.js';
import type { HostMessage } from '../../src/protocol/index.js';
import {
  answer,
  closed,
  death,
  type FakeHost,
  failure,
  initial,
  join,
  observed,
  Recorder,
  result,
  toolCall,
} from './fake-host.js';

interface Scene {
  readonly host: FakeHost;
  readonly connection: Connection;
  readonly session: { id: string; generation: number };
  /** The live cell `1`. Its first answer has not come. */
  readonly cell: { id: number; initial: Promise<unknown> };
}

const ready: HostMessage = { type: 'connection/ready', selectedVersion: 1, capabilities: [] };
const rejected: HostMessage = {
  type: 'connection/rejected',
  reason: { type: 'noCompatibleVersion', supportedVersions: [1] },
};
const wrongValue = { type: 'session/ready', sessionId: 'session-1' } as const;

async function request(scene: Scene, kind: 'wait' | 'terminate' | 'execute' | 'shutdown' | 'open'): Promise<number> {
  const { connection, session, host } = scene;
  const call = {
    wait: () => connection.wait(session, '1', { yieldTimeMs: 1 }),
    terminate: () => connection.terminate(session, '1'),
    execute: () => connection.execute(session, { tool_call_id: 'x', enabled_tools: [], source: '' }),
    shutdown: () => connection.shutdown(session),
    open: () => connection.open({ id: 'session-9', generation: 1, delegate: new Recorder() }),
  }[kind]();
  // Undefined for a call that was answered before the violation.
  outcomes.push(
    Promise.resolve(call).then(
      () => undefined,
      (error) => error as Error,
    ),
  );
  return host.request(`session/${kind}`);
}

let outcomes: Promise<Error | undefined>[] = [];

const violations: [string, string, (scene: Scene) => Promise<void> | void][] = [
  [
    'an answer to a request that never was',
    'code-mode host returned unknown request ID RequestId(4242)',
    ({ host }) => host.send(observed(4242, '1')),
  ],
  [
    'an id that only a bigint can hold',
    'code-mode host returned unknown request ID RequestId(9223372036854775807)',
    ({ host }) => host.send(observed(9223372036854775807n, '1')),
  ],
  [
    'a second answer',
    'code-mode host returned unknown request ID RequestId(3)',
    async (scene) => {
      const id = await request(scene, 'wait');
      scene.host.send(observed(id, '1'), observed(id, '1'));
    },
  ],
  [
    'an open answered twice',
    'code-mode host returned unknown request ID RequestId(1)',
    ({ host }) => host.answer(1, { type: 'session/ready', sessionId: 'session-1' }),
  ],
  [
    'a first answer before the start',
    'code-mode host returned initial response for unknown request ID RequestId(3)',
    async (scene) => {
      scene.host.send(initial(await request(scene, 'execute'), result('2')));
    },
  ],
  [
    'a first answer twice',
    'code-mode host returned initial response for unknown request ID RequestId(2)',
    ({ host, cell }) => host.send(initial(cell.id, result('1')), initial(cell.id, result('1'))),
  ],
  [
    'a first answer to nothing',
    'code-mode host returned initial response for unknown request ID RequestId(777)',
    ({ host }) => host.send(initial(777, result('1'))),
  ],
  [
    'a first answer of another cell',
    'code-mode host returned initial response for cell zzz instead of 1',
    ({ host, cell }) => host.send(initial(cell.id, result('zzz'))),
  ],
  ['a second ready', 'code-mode host sent a second handshake response', ({ host }) => host.send(ready)],
  ['a late rejection', 'code-mode host sent a second handshake response', ({ host }) => host.send(rejected)],
  [
    'the end of a cell that never was',
    'code-mode host closed unknown cell in session session-1',
    ({ host }) => host.send(closed('99')),
  ],
  [
    'the end of a cell in no session',
    'code-mode host closed cell 1 in unknown session nosuch',
    ({ host }) => host.send(closed('1', 'nosuch')),
  ],
  [
    'the end of a cell twice',
    'code-mode host closed unknown cell in session session-1',
    ({ host }) => host.send(closed('1'), closed('1')),
  ],
  [
    'an open answered with another type',
    'code-mode host returned an invalid open-session response',
    async (scene) => {
      scene.host.answer(await request(scene, 'open'), { type: 'execution/started', cellId: '1' });
    },
  ],
  [
    'an open answered for another session',
    'code-mode host returned an invalid open-session response',
    async (scene) => {
      scene.host.answer(await request(scene, 'open'), wrongValue);
    },
  ],
  [
    'an execute answered with another type',
    'code-mode host returned an invalid execute response',
    async (scene) => {
      scene.host.answer(await request(scene, 'execute'), wrongValue);
    },
  ],
  [
    'a live cell started again',
    'code-mode host reused live cell 1 in session session-1',
    async (scene) => {
      scene.host.answer(await request(scene, 'execute'), { type: 'execution/started', cellId: '1' });
    },
  ],
  [
    'a wait answered for another cell',
    'code-mode host returned cell other for request targeting 1',
    async (scene) => {
      scene.host.send(observed(await request(scene, 'wait'), 'other'));
    },
  ],
  [
    'a wait answered with another type',
    'code-mode host returned an invalid cell response',
    async (scene) => {
      scene.host.answer(await request(scene, 'wait'), wrongValue);
    },
  ],
  [
    'a terminate answered for another cell',
    'code-mode host returned cell other for request targeting 1',
    async (scene) => {
      scene.host.send(observed(await request(scene, 'terminate'), 'other'));
    },
  ],
  [
    'a missing cell that is another one',
    'code-mode host returned cell other for request targeting 1',
    async (scene) => {
      scene.host.answer(await request(scene, 'terminate'), {
        type: 'wait/completed',
        outcome: { MissingCell: result('other') },
      });
    },
  ],
  [
    'a shutdown answered with another type',
    'code-mode host returned an invalid shutdown response',
    async (scene) => {
      scene.host.answer(await request(scene, 'shutdown'), { type: 'execution/started', cellId: '1' });
    },
  ],
  [
    'a shutdown answered for another session',
    'code-mode host returned an invalid shutdown response',
    async (scene) => {
      scene.host.answer(await request(scene, 'shutdown'), { type: 'session/closed', sessionId: 'session-2' });
    },
  ],
  [
    'a shutdown refused',
    'cannot close',
    async (scene) => {
      scene.host.refuse(await request(scene, 'shutdown'), 'cannot close');
    },
  ],
  [
    'a call id used twice',
    'duplicate code-mode delegate request ID DelegateRequestId(7)',
    ({ host }) => host.send(toolCall(7, '1'), toolCall(7, '1')),
  ],
  [
    'a call id cancelled and used again',
    'duplicate code-mode delegate request ID DelegateRequestId(7)',
    ({ host }) => host.send(toolCall(7, '1'), { type: 'delegate/cancel', id: 7 }, toolCall(7, '1')),
  ],
];

async function check(t: TestContext, text: string, act: (scene: Scene) => Promise<void> | void) {
  const { host, connection } = await join(t);
  const first = new Recorder(() => new Promise(() => undefined));
  const second = new Recorder();
  const session = await host.open(connection, { delegate: first });
  const cell = await host.start(connection, session, '1');
  const scene: Scene = { host, connection, session, cell };
  outcomes = [failure(cell.initial)];
  await act(scene);
  const reason = await death(connection);
  assert.equal(reason.message, text);
  for (const error of await Promise.all(outcomes)) {
    if (error !== undefined) assert.equal(error.message, text);
  }
  assert.deepEqual(first.closed, ['1']);
  assert.deepEqual(second.closed, []);
  assert.equal((await failure(connection.terminate(session, '1'))).message, text);
}

for (const [name, text, act] of violations) {
  test(`${name} ends the connection with an exact text for everybody`, async (t) => {
    const early = name === 'a first answer twice';
    if (!early) return check(t, text, act);
    const { host, connection } = await join(t);
    const delegate = new Recorder();
    const session = await host.open(connection, { delegate });
    const cell = await host.start(connection, session, '1');
    await act({ host, connection, session, cell });
    assert.equal((await death(connection)).message, text);
    await cell.initial;
    assert.deepEqual(delegate.closed, ['1']);
  });
}

test('a reason reaches every call of every session', async (t) => {
  const { host, connection } = await join(t);
  const delegates = [new Recorder(), new Recorder()];
  const sessions = [];
  for (const [i, delegate] of delegates.entries()) {
    sessions.push(await host.open(connection, { id: `session-${i + 1}`, delegate }));
  }
  for (const session of sessions) await host.start(connection, session, '1');
  const calls = [];
  for (const session of sessions) {
    calls.push(failure(connection.wait(session, '1', { yieldTimeMs: 1 })), failure(connection.terminate(session, '1')));
  }
  host.send(answer(99, { type: 'session/closed', sessionId: 'session-1' }));
  const errors = await Promise.all(calls);
  for (const error of errors) assert.equal(error.message, 'code-mode host returned unknown request ID RequestId(99)');
  assert.equal(new Set(errors).size, 4);
  for (const delegate of delegates) assert.deepEqual(delegate.closed, ['1']);
});
