import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { ExecServerClient } from '../../../src/exec-server/client/index.js';
import { listenWebSocket, RpcConnection } from '../../../src/exec-server/connection/index.js';
import { ExecServer } from '../../../src/exec-server/server/index.js';
import { eventually } from '../../support/processes.js';
import { codeOf } from '../client/read-events.js';
import { PATH, serve, sh } from './peer.js';
import { killSleepers, sleepers, uniqueSeconds } from './trees.js';

const linux = process.platform === 'linux' ? {} : { skip: 'needs /proc' };
const words = /the exec-server is shutting down/;
const options = { environment: process.env, version: '0.0.0' };

async function overWebSocket(t: TestContext, server: ExecServer): Promise<ExecServerClient> {
  const listener = await listenWebSocket({
    host: '127.0.0.1',
    port: 0,
    auth: { mode: 'none' },
    onConnection: (channel) => {
      new RpcConnection(channel, (made) => server.handle(made, { resumable: true }), server.connectionOptions);
    },
  });
  t.after(() => listener.close());
  return await ExecServerClient.connectWebSocket({ url: listener.url, recoveryLimitMs: 1 });
}

const ways: Readonly<Record<string, (t: TestContext, server: ExecServer) => Promise<ExecServerClient>>> = {
  'in this program': (_t, server) => ExecServerClient.connectInProcess({ server }),
  'over a WebSocket': overWebSocket,
};

for (const [how, connect] of Object.entries(ways)) {
  test(`when a server closes, whoever waits at the other end hears of it: ${how}`, linux, async (t) => {
    const seconds = uniqueSeconds();
    t.after(() => killSleepers(seconds));
    const server = new ExecServer(options);
    t.after(() => server.close());
    const client = await connect(t, server);
    t.after(() => client.close());
    const child = await client.start({ argv: sh(`echo up; sleep ${seconds}`), cwd: '/tmp', env: { PATH } });
    const reading = (async () => {
      for await (const { type } of child) if (type === 'output') server.close();
    })();
    const call = codeOf(client.call('process/read', { processId: child.id, afterSeq: 1, waitMs: 600_000 }));
    await assert.rejects(reading, { code: 'connection-lost' });
    assert.equal(await call, 'connection-lost');
    await eventually(() => sleepers(seconds).length === 0);
    assert.equal(client.reason?.code, 'connection-lost');
    assert.equal(await codeOf(client.start({ argv: ['true'], cwd: '/' })), 'connection-lost');
  });
}

test('the connection of every session is closed with the reason, and closing again changes nothing', async (t) => {
  const { server, connect, ready, connections } = serve(t);
  const peers = [await ready(), await ready()];
  const early = connect();
  server.close();
  server.close();
  for (const peer of peers) await peer.end();
  for (const { signal } of connections.slice(0, 2)) {
    assert.equal(signal.reason.code, 'connection-closed');
    assert.match(signal.reason.message, words);
  }
  for (const peer of [early, connect()]) {
    assert.match((await peer.error('initialize', { clientName: 'x' })).message, words);
  }
});

test('a client in this program is told why', async () => {
  const server = new ExecServer(options);
  const client = await ExecServerClient.connectInProcess({ server });
  const call = client.call('fs/walk', {});
  server.close();
  await assert.rejects(call, words);
  assert.match(client.reason?.message ?? '', words);
  await client.close();
});

test('a server ends with its block', async () => {
  let client: ExecServerClient | undefined;
  {
    using server = new ExecServer(options);
    client = await ExecServerClient.connectInProcess({ server });
  }
  await assert.rejects(client.environmentInfo(), words);
  await client.close();
});
