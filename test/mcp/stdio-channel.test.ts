import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChannelEvents } from '../../src/mcp/channel.js';
import { StdioChannel } from '../../src/mcp/stdio-channel.js';
import { eventually, isAlive } from '../support/processes.js';

const open = async (output: string, events: Partial<ChannelEvents>): Promise<StdioChannel> => {
  const script = `process.stdin.once('data', () => process.stdout.write(${JSON.stringify(output)}));`;
  const channel = await StdioChannel.open(
    { name: 's', kind: 'stdio', command: process.execPath, args: ['-e', script], env: {} },
    {
      signal: new AbortController().signal,
      events: { message: () => true, stray() {}, stderr() {}, warn() {}, lost() {}, ended() {}, ...events },
    },
  );
  return channel;
};

test('lines behind the one at which it was closed are not handed on', async () => {
  const told: string[] = [];
  let closed: Promise<void> | undefined;
  const channel = await open('one\ntwo\n{"three": 3}\n', {
    message: () => assert.fail('handed on'),
    stray: (text) => {
      told.push(text);
      closed = channel.close();
    },
  });
  const { pid } = channel.facts().data;
  await channel.send({ jsonrpc: '2.0' });
  await eventually(() => closed !== undefined);
  await closed;
  assert.deepEqual(told, ['one']);
  await eventually(() => !isAlive(Number(pid)));
});

test('a listener that throws makes a line one that is no message, and the next is read', async () => {
  const told: string[] = [];
  const channel = await open('{"a": 1}\n{"b": 2}\n', {
    message: () => {
      throw new TypeError('not to be converted');
    },
    stray: (text) => told.push(text),
  });
  const { pid } = channel.facts().data;
  await channel.send({ jsonrpc: '2.0' });
  await eventually(() => told.length === 2);
  assert.deepEqual(told, ['{"a": 1}', '{"b": 2}']);
  await channel.close();
  await eventually(() => !isAlive(Number(pid)));
});
