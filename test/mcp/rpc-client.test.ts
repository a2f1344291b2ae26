import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Channel, RpcMessage } from '../../src/mcp/channel.js';
import { RpcClient } from '../../src/mcp/rpc-client.js';

/** A client whose messages arrive when the test says so. */
function bench() {
  const sent: RpcMessage[] = [];
  const arrivals: (() => void)[] = [];
  const reasons: string[] = [];
  const forgotten: number[] = [];
  const channel: Channel = {
    send: (message) => {
      sent.push(message);
      return new Promise((resolve) => arrivals.push(resolve));
    },
    forget: (id) => forgotten.push(id),
    agreed() {},
    giveUp: (reason) => reasons.push(reason),
    async close() {},
    facts: () => ({ text: '', data: {} }),
  };
  const client = new RpcClient(() => {});
  client.attach(channel);
  return { client, sent, arrivals, reasons, forgotten };
}

const ping = (id: number | string) => ({ jsonrpc: '2.0', id, method: 'ping' });
const turn = (): Promise<void> => new Promise(setImmediate);

test('a thousand answers may be on their way, and then the other side is given up', async () => {
  const { client, sent, arrivals, reasons } = bench();
  for (let id = 0; id < 1_000; id += 1) assert.equal(client.receive(ping(id)), true);
  assert.deepEqual(reasons, []);
  for (const arrive of arrivals.splice(0, 10)) arrive();
  await turn();
  for (let id = 0; id < 10; id += 1) client.receive(ping(id));
  assert.deepEqual(reasons, []);
  client.receive(ping('last'));
  assert.deepEqual(reasons, ['the server does not read what it asked for: more than 1000 answers to it are waiting']);
  assert.equal(sent.length, 1_010);
});

test('long ids are not given back, nor long names of methods', () => {
  const { client, sent } = bench();
  assert.equal(client.receive(ping('x'.repeat(257))), false);
  assert.equal(client.receive(ping('x'.repeat(256))), true);
  assert.equal(client.receive({ jsonrpc: '2.0', id: 1, method: 'm'.repeat(2 ** 20) }), true);
  assert.equal(sent.length, 2);
  for (const message of sent) assert.ok(JSON.stringify(message).length < 600);
});

test('a request that is over is forgotten, however it ended', async () => {
  const { client, forgotten } = bench();
  const giving = new AbortController();
  const first = client.request('tools/call', {});
  const second = client.request('tools/call', {}, { signal: giving.signal });
  client.receive({ jsonrpc: '2.0', id: 1, result: {} });
  giving.abort(new Error('given up'));
  assert.deepEqual(await first, {});
  await assert.rejects(second, /given up/);
  assert.deepEqual(forgotten, [1, 2]);
});
