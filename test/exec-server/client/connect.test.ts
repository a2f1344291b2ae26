import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import type { CodemodeError } from '../../../src/errors.js';
import { ExecServerClient } from '../../../src/exec-server/client/index.js';
import { tokenDigest } from '../../../src/exec-server/connection/bearer-auth.js';
import { authFromTokenDigest } from '../../../src/exec-server/connection/index.js';
import { RpcError } from '../../../src/exec-server/wire/index.js';
import { codeOf } from './read-events.js';
import { ScriptedHost } from './scripted-host.js';

/** A port where somebody listens and never says anything. */
async function silentPort(t: TestContext): Promise<number> {
  const server = createServer((socket) => socket.on('error', () => {}).resume());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return (server.address() as AddressInfo).port;
}

const failure = (promise: Promise<unknown>): Promise<CodemodeError> =>
  promise.then(
    () => assert.fail('connected'),
    (error: CodemodeError) => error,
  );

test('a client connects over WebSocket, calls, and leaves', async (t) => {
  const host = new ScriptedHost({ 'environment/info': () => ({ platformOs: 'linux' }) });
  const { url } = await host.listen(t);
  const client = await ExecServerClient.connectWebSocket({ url, clientName: 'c' });
  assert.deepEqual(await client.environmentInfo(), { platformOs: 'linux' });
  await client.close();
  assert.equal(await codeOf(client.environmentInfo()), 'connection-closed');
});

test('a server that does not accept a connection is given up at the limit, which the error names with the URL', async (t) => {
  const url = `ws://127.0.0.1:${await silentPort(t)}`;
  const error = await failure(ExecServerClient.connectWebSocket({ url, connectTimeoutMs: 30 }));
  assert.equal(error.code, 'connect-timeout');
  assert.equal(error.message, `timed out connecting to exec-server websocket ${url} after 0.03 s`);
  assert.deepEqual(error.data, { url, limitMs: 30 });
});

test('a port where nobody listens is a failure with its cause', async () => {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await new Promise((resolve) => server.close(resolve));
  const error = await failure(ExecServerClient.connectWebSocket({ url }));
  assert.equal(error.code, 'connect-failed');
  assert.ok(error.message.startsWith(`failed to connect to exec-server websocket ${url}: `), error.message);
  assert.equal((error.cause as NodeJS.ErrnoException).code, 'ECONNREFUSED');
});

test('a refusal is told with its status and its words, and never with a token', async (t) => {
  const host = new ScriptedHost();
  const auth = authFromTokenDigest(tokenDigest('right').toString('hex'));
  const { url } = await host.listen(t, { auth });
  const error = await failure(ExecServerClient.connectWebSocket({ url: `${url}/?token=wrong-1`, token: 'wrong-2' }));
  assert.equal(error.code, 'connect-failed');
  assert.equal(
    error.message,
    `failed to connect to exec-server websocket ${url}: HTTP 401 (invalid websocket bearer token)`,
  );
  assert.equal(error.data.status, 401);
  assert.doesNotMatch(JSON.stringify([error.message, error.data, String(error.cause)]), /wrong-/);
  const client = await ExecServerClient.connectWebSocket({ url, token: 'right' });
  await client.close();
});

test('a server that does not shake hands is given up at the limit', async (t) => {
  const host = new ScriptedHost({ initialize: () => new Promise(() => {}) });
  const { url } = await host.listen(t);
  for (const connect of [
    () => ExecServerClient.connectWebSocket({ url, initializeTimeoutMs: 30 }),
    () => ExecServerClient.connectInProcess({ server: host, initializeTimeoutMs: 30 }),
  ]) {
    const error = await failure(connect());
    assert.equal(error.code, 'handshake-timeout');
    assert.equal(error.message, 'timed out waiting for exec-server initialize handshake after 0.03 s');
  }
  await Promise.all(host.connections.map(({ signal }) => signal.aborted || once(signal, 'abort')));
});

test('a server that refuses the handshake, or answers it with nonsense, is told apart', async () => {
  const refusing = new ScriptedHost();
  delete refusing.methods.initialize;
  assert.equal((await failure(ExecServerClient.connectInProcess({ server: refusing }))).code, 'connect-failed');
  const strange = new ScriptedHost({ initialize: () => 5 });
  assert.equal((await failure(ExecServerClient.connectInProcess({ server: strange }))).code, 'protocol-error');
  const leaving = new ScriptedHost({
    initialize: ({ connection }) => connection.close().then(() => new Promise(() => {})),
  });
  assert.equal((await failure(ExecServerClient.connectInProcess({ server: leaving }))).code, 'connection-lost');
});

test('a token that the server does not take is a failure to connect, in its words', async () => {
  const words = 'invalid exec-server auth token';
  const server = new ScriptedHost({
    initialize: () => {
      throw new RpcError(-32001, words);
    },
  });
  const error = await failure(ExecServerClient.connectInProcess({ server, authToken: 'wrong-1' }));
  assert.equal(error.code, 'connect-failed');
  assert.equal(error.message, `failed to connect to exec-server: exec-server rejected request (-32001): ${words}`);
  assert.deepEqual(error.data, { method: 'initialize', code: -32001, message: words });
  assert.equal((error.cause as CodemodeError).code, 'operation-failed');
  assert.doesNotMatch(JSON.stringify([error.message, error.data]), /wrong-/);
});

test('a refusal of several lines becomes a message of one, and stays as it was in the data', async () => {
  const words = 'not you\r\n  because of\u2028this\n';
  const server = new ScriptedHost({
    initialize: () => {
      throw new RpcError(-32001, words);
    },
  });
  const error = await failure(ExecServerClient.connectInProcess({ server }));
  const line = 'failed to connect to exec-server: exec-server rejected request (-32001): not you because of this';
  assert.deepEqual([error.message, error.data.message], [line, words]);
});

test('connecting gives up with its signal, at every stage', async (t) => {
  const host = new ScriptedHost({ initialize: () => new Promise(() => {}) });
  const { url } = await host.listen(t);
  const silent = `ws://127.0.0.1:${await silentPort(t)}`;
  const aborted = AbortSignal.abort();
  assert.equal((await failure(ExecServerClient.connectWebSocket({ url, signal: aborted }))).code, 'cancelled');
  for (const target of [silent, url]) {
    const controller = new AbortController();
    const connecting = failure(ExecServerClient.connectWebSocket({ url: target, signal: controller.signal }));
    if (target === url) await host.called('initialize');
    controller.abort();
    assert.equal((await connecting).code, 'cancelled');
  }
});

test('a token that no header can carry, or a fragment, is refused and named, and white space is left out', async () => {
  for (const token of ['a\nb', 'tökén€', 'two words', '', ' \n']) {
    await assert.rejects(
      ExecServerClient.connectWebSocket({ url: 'ws://127.0.0.1:1', token }),
      (error: CodemodeError) => {
        assert.deepEqual([error.code, error.data.option], ['invalid-argument', 'token']);
        assert.match(error.message, /the option token for ws:\/\/127\.0\.0\.1:1 must be one word/);
        return true;
      },
    );
  }
  await assert.rejects(ExecServerClient.connectWebSocket({ url: 'ws://127.0.0.1:1/#x' }), {
    code: 'invalid-argument',
    message: 'the URL of a WebSocket has no fragment (#…): ws://127.0.0.1:1',
  });
  await assert.rejects(ExecServerClient.connectWebSocket({ url: 'ws://127.0.0.1:1', token: ' abc\n' }), {
    code: 'connect-failed',
  });
});

test('what is no URL of a WebSocket is refused before anything is done', async () => {
  for (const url of ['http://127.0.0.1:1', '127.0.0.1:1', '', 'file:///x']) {
    await assert.rejects(ExecServerClient.connectWebSocket({ url }), { code: 'invalid-argument' });
  }
});

test('limits that are no limits are refused before anything is done, with the name of the option', async () => {
  const wrong: Readonly<Record<string, readonly unknown[]>> = {
    connectTimeoutMs: [0, -1, Number.NaN, '5'],
    initializeTimeoutMs: [0, Number.NaN],
    pingIntervalMs: [0, -1, Number.NaN, '30000'],
    recoveryLimitMs: [-1, Number.NaN, '5'],
    bufferBytes: [0, -1, Number.NaN, '4 MiB'],
  };
  for (const [option, values] of Object.entries(wrong)) {
    for (const value of values) {
      const error = await failure(ExecServerClient.connectWebSocket({ url: 'ws://127.0.0.1:1', [option]: value }));
      assert.deepEqual([error.code, error.data], ['invalid-argument', { call: 'connectWebSocket', option }]);
    }
  }
  for (const option of ['recoveryLimitMs', 'bufferBytes']) {
    const options = { server: new ScriptedHost(), command: 'true', [option]: Number.NaN };
    const { server, command, ...rest } = options;
    assert.equal((await failure(ExecServerClient.connectInProcess({ server, ...rest }))).data.option, option);
    assert.equal((await failure(ExecServerClient.connectStdio({ command, ...rest }))).data.option, option);
  }
});
