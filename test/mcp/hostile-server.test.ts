import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bench, call, fixture, ofType, rejection } from './fixture-servers.js';
import { deepError, hostileLines } from './hostile-lines.js';
import { sdkHandler, webServer } from './web-server.js';

const strays: Readonly<Record<keyof typeof hostileLines, number>> = {
  level: 0,
  id: 1,
  progressToken: 0,
  nested: 1,
  deepLog: 1,
  batches: 1,
};

for (const [name, line] of Object.entries(hostileLines)) {
  test(`a line that is meant to harm does not, and the server works on: ${name}`, async (context) => {
    const { connect, events } = bench(context);
    const servers = await connect([fixture('says-anything'), fixture('echo')]);
    const progress = (): void => assert.fail('progress of nothing');
    assert.equal((await call(servers, 'says-anything.say', { line }, { progress })).content[0]?.text, 'said');
    assert.equal((await call(servers, 'echo.echo', { a: 1 })).content[0]?.text, '{"a":1}');
    const told = ofType(events, 'stray');
    assert.equal(told.length, strays[name as keyof typeof strays]);
    for (const { text } of told) assert.ok(line.startsWith(text.slice(0, 200)) && text.length <= 201);
    const levels = ofType(events, 'log').map(({ level }) => level);
    assert.deepEqual(levels, name === 'level' ? ['info'] : []);
  });

  test(`nor does an event over HTTP: ${name}`, async (context) => {
    const inner = sdkHandler({ define: (server) => server.registerTool('work', {}, () => ({ content: [] })) });
    const { connect } = bench(context);
    const { config } = await webServer(context, (request, response, body) => {
      const { id, method } = (body ?? {}) as { readonly id?: number; readonly method?: string };
      if (method !== 'tools/call') return inner(request, response, body);
      const answer = JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: 'said' }] } });
      return response
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .end(`data: ${line}\n\ndata: ${answer}\n\n`);
    });
    const servers = await connect([config]);
    for (let round = 0; round < 2; round += 1) assert.equal((await call(servers, 'web.work')).content[0]?.text, 'said');
  });
}

test('an answer that is nested too deeply rejects its call, and no other', async (context) => {
  const { connect } = bench(context);
  const servers = await connect([fixture('says-anything')]);
  const deepResult = deepError.replace('"error"', '"result"');
  for (const line of [deepError, deepResult]) {
    const { code, message } = await rejection(call(servers, 'says-anything.say', { line, answer: false }));
    assert.equal(code, 'mcp-server-failed');
    assert.equal(
      message,
      'MCP server `says-anything`: tool `say`: the server sent an answer that is nested more than 200 levels deep',
    );
  }
  const unnamed = '{"jsonrpc":"2.0","id":ID,"error":{"code":1,"data":[[1]]}}';
  const { content, isError } = await call(servers, 'says-anything.say', { line: unnamed, answer: false });
  assert.deepEqual([content[0]?.text, isError], ['{"code":1,"data":[[1]]}', true]);
  assert.equal((await call(servers, 'says-anything.say')).content[0]?.text, 'said');
});

/** A call that hangs fails its test, and not the whole run. */
const bounded = () => ({ signal: AbortSignal.timeout(30_000) });

test('an answer that can not be read rejects its call, and no other', async (context) => {
  const { connect, events } = bench(context);
  const servers = await connect([fixture('says-anything')]);
  const unreadable = [
    '{"jsonrpc":"2.0","id":ID,"result":{"content":[],"structuredContent":{"size":NaN}}}',
    '{"jsonrpc": "2.0", "id": "ID", "error": {"code": 1',
  ];
  for (const line of unreadable) {
    const { message } = await rejection(call(servers, 'says-anything.say', { line, answer: false }, bounded()));
    assert.match(message, /tool `say`: the server sent an answer that is not JSON: ./);
  }
  assert.equal(ofType(events, 'stray').length, 2);
  for (const method of ['7', '"ping"', '{}']) {
    const line = `{"jsonrpc":"2.0","id":ID,"method":${method},"result":{"content":[]}}`;
    assert.deepEqual(await call(servers, 'says-anything.say', { line, answer: false }, bounded()), { content: [] });
  }
  // What is not known to be an answer ends no call.
  const { content } = await call(servers, 'says-anything.say', { line: '{"data":NaN,"id":ID,"result":1' });
  assert.equal(content[0]?.text, 'said');
});

test('a byte order mark before a message is taken off, and none elsewhere', async (context) => {
  const { connect, events } = bench(context);
  const servers = await connect([fixture('says-anything')]);
  const line = '\ufeff{"jsonrpc":"2.0","id":ID,"result":{"content":[{"type":"text","text":"\ufeff1"}]}}';
  const { content } = await call(servers, 'says-anything.say', { line, answer: false }, bounded());
  assert.equal(content[0]?.text, '\ufeff1');
  assert.deepEqual(ofType(events, 'stray'), []);
});

test('a server that asks without end and does not read the answers is ended', async (context) => {
  const { connect, nothingLeft } = bench(context);
  const servers = await connect([fixture('asks-without-end'), fixture('echo')]);
  const { message } = await rejection(call(servers, 'asks-without-end.work', {}, bounded()));
  assert.match(
    message,
    /the server does not read what it asked for: more than 1000 answers to it are waiting; program: /,
  );
  assert.equal((await call(servers, 'echo.echo', { a: 1 })).content[0]?.text, '{"a":1}');
  await servers.close();
  nothingLeft();
});

test('messages in a batch are taken one by one', async (context) => {
  const { connect, events } = bench(context);
  const servers = await connect([fixture('says-anything')]);
  const log = '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"debug","data":1}}';
  const line = `[${log},{"jsonrpc":"2.0","id":ID,"result":{"content":[]}}]`;
  assert.deepEqual(await call(servers, 'says-anything.say', { line, answer: false }), { content: [] });
  assert.deepEqual([ofType(events, 'log').length, ofType(events, 'stray').length], [1, 0]);
});
