import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ExecServerClient } from '../../../src/exec-server/client/index.js';
import { turns } from '../connection/raw-peer.js';
import { allEvents, codeOf } from './read-events.js';
import { connected, echo, ScriptedHost } from './scripted-host.js';

test('when the server is gone everything pending is rejected at once, and events that came are still read', async () => {
  const { host, client } = await connected({ 'fs/readFile': () => new Promise(() => {}) });
  const process = await client.start({ ...echo, processId: 'p' });
  const calls = Array.from({ length: 20 }, () => codeOf(client.fs.readFile('/x')));
  await host.called('fs/readFile', 19);
  await host.output('p', 1, 'before');
  await turns();
  await host.connection.close();
  assert.deepEqual(new Set(await Promise.all(calls)), new Set(['connection-lost']));
  const iterator = process[Symbol.asyncIterator]();
  assert.equal((await iterator.next()).value?.type, 'output');
  await assert.rejects(iterator.next(), { code: 'connection-lost' });
  assert.equal(client.reason?.code, 'connection-lost');
  await client.close();
});

test('closing terminates what runs, rejects what waits, and can be asked for twice', async () => {
  const { host, client } = await connected({ 'fs/readFile': () => new Promise(() => {}) });
  const process = await client.start({ ...echo, processId: 'p' });
  const events = codeOf(allEvents(process));
  const call = codeOf(client.fs.readFile('/x'));
  await host.called('fs/readFile');
  await Promise.all([client.close(), client.close()]);
  assert.equal((await host.called('process/terminate')).params.processId, 'p');
  assert.deepEqual([await call, await events], ['connection-closed', 'connection-closed']);
  assert.equal(await codeOf(client.environmentInfo()), 'connection-closed');
});

test('a client and a process can be left by `await using`', async () => {
  const host = new ScriptedHost();
  {
    await using client = await ExecServerClient.connectInProcess({ server: host });
    await using process = await client.start({ ...echo, processId: 'p' });
    assert.ok(!process.closed);
  }
  assert.equal(host.calls.filter(({ method }) => method === 'process/terminate').length, 2);
  await turns(3);
  assert.ok(host.connection.signal.aborted);
});

test('a client that is told to detach leaves its processes alone', async () => {
  const { host, client } = await connected();
  await client.start(echo);
  await client.close({ detach: true });
  assert.ok(!host.calls.some(({ method }) => method === 'process/terminate'));
});
