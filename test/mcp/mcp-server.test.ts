import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { ServerFault } from '../../src/mcp/server-fault.js';
import { bench, fixture, rejection } from './fixture-servers.js';
import { deepError, hostileLines } from './hostile-lines.js';
import { answering, greeting, scripted } from './scripted-channel.js';

test('`initialize` that is given up is not taken back', async () => {
  const giving = new AbortController();
  const { sent, start } = scripted(answering({ initialize: () => void giving.abort() }));
  assert.equal((await rejection(start({ signal: giving.signal }))).code, 'cancelled');
  assert.deepEqual(
    sent.map(({ method }) => method),
    ['initialize'],
  );
});

test('`initialize` that is not answered in time is not taken back', async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'codemode-mcp-'));
  context.after(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'methods');
  const { fails } = bench(context);
  assert.match((await fails([fixture('notes-methods', file)], { timeoutMs: 1_000 })).message, /no answer within 1000/);
  assert.equal(await readFile(file, 'utf8'), 'initialize\n');
});

test('a list that is given up is taken back', async () => {
  const giving = new AbortController();
  const { sent, start } = scripted(answering({ 'tools/list': () => void giving.abort() }));
  assert.equal((await rejection(start({ signal: giving.signal }))).code, 'cancelled');
  assert.equal(sent.at(-1)?.method, 'notifications/cancelled');
});

test('a server that has ended before it was ready never is', async () => {
  const fault = new ServerFault('gone');
  const { events, start } = scripted(
    answering({
      initialize: () => ({ ...greeting, capabilities: {} }),
      'notifications/initialized': (_message, channel) => channel.ended(fault),
    }),
  );
  const { code, message } = await rejection(start());
  assert.deepEqual([code, message], ['mcp-server-failed', 'MCP server `s`: `tools/list`: gone']);
  assert.deepEqual(events, []);
});

test('a change that is announced while the list is read for the first time is not missed', async () => {
  let lists = 0;
  const { tell, start } = scripted(
    answering({
      'tools/list': () => {
        lists += 1;
        if (lists === 1) tell().message({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
        return { tools: [{ name: `list${lists}` }] };
      },
    }),
  );
  const server = await start();
  assert.equal(await server.refresh(), true);
  assert.deepEqual(
    server.tools.map(({ name }) => name),
    ['mcp__s__list2'],
  );
  assert.equal(lists, 2);
  await server.close();
});

test('whatever a server calls itself, and we it', async () => {
  const serverInfo = JSON.parse('{"name": {"toString": null}, "version": 7}') as unknown;
  const { sent, events, start } = scripted(answering({ initialize: () => ({ ...greeting, serverInfo }) }));
  const server = await start({ clientInfo: { name: 'harness', version: '1' } });
  const { clientInfo } = (sent[0]?.params ?? {}) as { readonly clientInfo?: unknown };
  assert.deepEqual(clientInfo, { name: 'harness', version: '1' });
  assert.deepEqual(
    events.map((event) => (event.type === 'ready' ? [event.name, event.version] : event)),
    [['', '']],
  );
  await server.close();
});

test('no message throws, whatever it is made of', async () => {
  const { sent, tell, start } = scripted(answering({ 'tools/call': () => undefined }));
  const server = await start();
  const [tool] = server.tools;
  const { signal } = new AbortController();
  const odd = fc.oneof(
    fc.constant(JSON.parse('{"toString": null, "valueOf": null}') as unknown),
    fc.constant('ID'),
    fc.jsonValue(),
    fc.integer({ min: 0, max: 9 }),
  );
  const params = fc.record(
    { level: odd, logger: odd, data: odd, progressToken: odd, progress: odd, requestId: odd },
    { requiredKeys: [] },
  );
  const method = fc.constantFrom(
    'notifications/message',
    'notifications/progress',
    'notifications/tools/list_changed',
    'notifications/cancelled',
    'ping',
    'roots/list',
  );
  const message = fc.record(
    {
      jsonrpc: fc.oneof(fc.constant('2.0'), odd),
      id: odd,
      method: fc.oneof(method, odd),
      params: fc.oneof(params, odd),
      result: odd,
      error: fc.oneof(fc.record({ code: odd, message: odd, data: odd }, { requiredKeys: [] }), odd),
    },
    { requiredKeys: [] },
  );
  const line = fc
    .oneof(message, fc.array(fc.oneof(message, odd), { maxLength: 4 }), odd)
    .map((one) => JSON.stringify(one));
  const lines = [...Object.values(hostileLines), deepError];
  const take = (text: string): void => {
    // A call that waits for whatever has its id, and for its progress.
    Promise.resolve(tool?.handler({}, { signal, cellId: '1', callId: '1', progress: () => {} })).catch(() => {});
    const ours = text.replace(/:"?ID"?(?=[,}])/g, `:${sent.at(-1)?.id}`);
    assert.equal(typeof tell().message(JSON.parse(ours)), 'boolean');
  };
  for (const one of lines) take(one);
  fc.assert(fc.property(line, take), { seed: 20_260, numRuns: 2_000 });
  await server.close();
});

test('a tool that is nested too deeply loses its schemas, and spoils no other', async () => {
  const deep = JSON.parse(`${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`) as unknown;
  const bad = { name: 'bad', description: 'Works.', inputSchema: deep, outputSchema: {} };
  const { events, start } = scripted(
    answering({ 'tools/list': () => ({ tools: [bad, { name: 'good', inputSchema: { minProperties: 1 } }] }) }),
  );
  const server = await start();
  assert.deepEqual(
    server.tools.map(({ name, description, inputSchema }) => [name, description, inputSchema]),
    [
      ['mcp__s__bad', 'Works.', { type: 'object' }],
      ['mcp__s__good', '', { minProperties: 1 }],
    ],
  );
  assert.deepEqual(
    events.map((event) => (event.type === 'log' ? [event.level, event.data] : event.type)),
    [['warning', 'tool `bad` is nested more than 200 levels deep: its schemas are left out'], 'ready'],
  );
  await server.close();
});
