import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import { openExecTools } from '../../src/cli/exec-server-tools.js';
import { type Method, ScriptedHost } from '../exec-server/client/scripted-host.js';
import { eventually } from '../support/processes.js';

/** Answers nothing while there is somebody who could hear it. */
const silence: Method = ({ context }) =>
  new Promise((_, reject) => {
    context.signal.addEventListener('abort', () => reject(context.signal.reason), { once: true });
  });
const unused = new AbortController().signal;

/** Where somebody listens and never says anything. */
async function silent(t: TestContext): Promise<{ url: string; asked: Promise<unknown> }> {
  const server = createServer((socket) => socket.on('error', () => {}).resume());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return { url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`, asked: once(server, 'connection') };
}

test('opening is given up while the server is being connected', async (t) => {
  const { url, asked } = await silent(t);
  const giving = new AbortController();
  const opening = openExecTools({ kind: 'server', url }, { cwd: '/', signal: giving.signal });
  await asked;
  giving.abort();
  await assert.rejects(opening, { code: 'cancelled' });
});

test('opening is given up while the server is asked where it is, and the connection is closed', async (t) => {
  const host = new ScriptedHost({ 'environment/info': silence });
  const { url } = await host.listen(t);
  const giving = new AbortController();
  const opening = openExecTools({ kind: 'server', url }, { cwd: '/', signal: giving.signal });
  await host.called('environment/info');
  giving.abort();
  await assert.rejects(opening, { code: 'cancelled' });
  await eventually(() => host.open === 0);
});

test('a server that cannot say where it is leaves no connection behind', async (t) => {
  const host = new ScriptedHost();
  const { url } = await host.listen(t);
  await assert.rejects(openExecTools({ kind: 'server', url }, { cwd: '/', signal: unused }), {
    code: 'operation-failed',
  });
  await eventually(() => host.open === 0);
});

test('nothing is opened for who has given up before', async () => {
  const signal = AbortSignal.abort();
  for (const exec of [{ kind: 'here' }, { kind: 'server', url: 'ws://127.0.0.1:1' }] as const)
    await assert.rejects(openExecTools(exec, { cwd: '/', signal }), { code: 'cancelled' });
});

test('a token that cannot be sent is told by the name of its variable, and not shown', async (t) => {
  t.after(() => {
    delete process.env.CODEMODE_EXEC_SERVER_TOKEN;
  });
  process.env.CODEMODE_EXEC_SERVER_TOKEN = 'two words';
  await assert.rejects(openExecTools({ kind: 'server', url: 'ws://127.0.0.1:1' }, { cwd: '/', signal: unused }), {
    code: 'invalid-argument',
    message: 'the token in CODEMODE_EXEC_SERVER_TOKEN must be one word of ASCII letters, digits and punctuation',
  });
});
