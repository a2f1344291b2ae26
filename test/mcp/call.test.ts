import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ToolProgress } from '../../src/tools/tool.js';
import { eventually } from '../support/processes.js';
import { bench, call, fixture, ofType, rejection } from './fixture-servers.js';

test('the result comes as the server has sent it, with all of its fields', async (context) => {
  const { connect } = bench(context);
  const servers = await connect([fixture('echo')]);
  assert.deepEqual(await call(servers, 'echo.echo', { a: ['ü☕', null] }), {
    content: [{ type: 'text', text: '{"a":["ü☕",null]}' }],
    structuredContent: { a: ['ü☕', null] },
    extra: 1,
  });
});

test('many calls at once get their own answers', async (context) => {
  const { connect } = bench(context);
  const servers = await connect([fixture('echo')]);
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, index) => call(servers, 'echo.echo', { index, filler: 'x'.repeat(1_000) })),
  );
  assert.deepEqual(
    answers.map(({ structuredContent }) => (structuredContent as { index: number }).index),
    Array.from({ length: 200 }, (_, index) => index),
  );
});

test('errors of a tool and of the server resolve, with isError', async (context) => {
  const { connect } = bench(context);
  const servers = await connect([fixture('error-answers')]);
  assert.deepEqual(await call(servers, 'error-answers.fail'), {
    content: [{ type: 'text', text: 'it failed' }],
    isError: true,
  });
  assert.deepEqual(await call(servers, 'error-answers.refuse'), {
    content: [{ type: 'text', text: 'bad arguments' }],
    isError: true,
  });
});

test('an answer that is none rejects its call, and no other', async (context) => {
  const { connect } = bench(context);
  const servers = await connect([fixture('error-answers')]);
  const nothing = await rejection(call(servers, 'error-answers.nothing'));
  assert.equal(nothing.code, 'mcp-server-failed');
  assert.equal(
    nothing.message,
    'MCP server `error-answers`: tool `nothing`: the server sent an answer that has neither a result nor an error',
  );
  const empty = await rejection(call(servers, 'error-answers.null'));
  assert.match(empty.message, /tool `null`: the answer to `tools\/call` must be an object, got null$/);
  assert.deepEqual(await call(servers, 'error-answers.bare'), { toolResult: 1 });
  assert.equal((await call(servers, 'error-answers.twice')).content[0]?.text, 'first');
  assert.equal((await call(servers, 'error-answers.twice')).content[0]?.text, 'first');
});

test('20 MB of images come untouched, whatever is in them', async (context) => {
  const { connect } = bench(context);
  const servers = await connect([fixture('big-images')]);
  const before = process.memoryUsage().rss;
  const { content, _meta } = await call(servers, 'big-images.look', { megabytes: 20 });
  assert.deepEqual(
    content.map(({ type, data }) => [type, data?.length]),
    [
      ['text', undefined],
      ...Array.from({ length: 4 }, () => ['image', 5 * 2 ** 20]),
      ['image', 11],
      ['audio', 4],
      ['resource', undefined],
    ],
  );
  assert.equal(content[0]?.text, 'ünï☕');
  assert.ok(content.slice(1, 5).every(({ data }) => data === 'QUJD'.repeat(5 * 2 ** 18)));
  assert.deepEqual(_meta, { 'x/y': 1 });
  assert.ok(process.memoryUsage().rss - before < 400 * 2 ** 20);
});

test('a message that is too long ends the connection, and says for which call', async (context) => {
  const { connect, events, running } = bench(context);
  const servers = await connect([fixture('too-long')]);
  const { message } = await rejection(call(servers, 'too-long.pour'));
  assert.match(
    message,
    /^MCP server `too-long`: tool `pour`: the server sent a message of more than 67108864 bytes \(64 MiB\); program: /,
  );
  assert.match((await rejection(call(servers, 'too-long.pour'))).message, /more than 67108864 bytes/);
  assert.equal(ofType(events, 'ended').length, 1);
  await eventually(() => running() === 0);
});

test('progress and logs are told', async (context) => {
  const { connect, events } = bench(context);
  const servers = await connect([fixture('tells-progress')]);
  const told: ToolProgress[] = [];
  const result = await call(servers, 'tells-progress.work', {}, { progress: (one) => told.push(one) });
  assert.equal(result.content[0]?.text, 'token');
  assert.deepEqual(told, [
    { progress: 1, total: 2, message: 'step 1' },
    { progress: 2, total: 2, message: 'step 2' },
  ]);
  assert.deepEqual(ofType(events, 'log'), [
    { type: 'log', server: 'tells-progress', level: 'warning', logger: 'db', data: { slow: true } },
  ]);
  assert.equal((await call(servers, 'tells-progress.work')).content[0]?.text, 'no token');
  const progress = (): never => assert.fail('a watcher that throws');
  assert.equal((await call(servers, 'tells-progress.work', {}, { progress })).content[0]?.text, 'token');
});

test('a call whose cell has ended is taken back, once, and one that was answered is not', async (context) => {
  const { connect, events } = bench(context);
  const servers = await connect([fixture('tells-progress')]);
  const controller = new AbortController();
  const { signal } = controller;
  await call(servers, 'tells-progress.work', {}, { signal });
  const waiting = rejection(call(servers, 'tells-progress.wait', {}, { signal }));
  await eventually(() => ofType(events, 'log').some(({ data }) => data === 'waiting'));
  controller.abort(new Error('the cell is over'));
  const { code, message, cause } = await waiting;
  assert.deepEqual([code, message], ['cancelled', 'MCP server `tells-progress`: tool `wait`: given up by the caller']);
  assert.equal((cause as Error).message, 'the cell is over');
  assert.equal((await rejection(call(servers, 'tells-progress.wait', {}, { signal }))).code, 'cancelled');
  const { content } = await call(servers, 'tells-progress.cancelled');
  // initialize, tools/list, work, wait
  assert.deepEqual(JSON.parse(content[0]?.text ?? ''), [{ requestId: 4, reason: 'given up by the caller' }]);
});

test('a server may ask for a ping, and for nothing else', async (context) => {
  const { connect } = bench(context);
  const servers = await connect([fixture('echo')]);
  const ask = async (method: string) =>
    JSON.parse((await call(servers, 'echo.ask', { method })).content[0]?.text ?? '') as unknown;
  assert.deepEqual(await ask('ping'), { id: 'mine', jsonrpc: '2.0', result: {} });
  for (const method of ['roots/list', 'sampling/createMessage', 'elicitation/create']) {
    const error = { code: -32601, message: `not offered: ${method}` };
    assert.deepEqual(await ask(method), { id: 'mine', jsonrpc: '2.0', error });
  }
});

test('a list that has changed is read again', async (context) => {
  const { connect, events } = bench(context);
  const servers = await connect([fixture('changing-list'), fixture('echo')]);
  const names = () => servers.tools.map(({ name }) => name.replace('mcp__changing-list__', ''));
  assert.equal(await servers.refresh(), false);
  await call(servers, 'changing-list.add');
  assert.equal(await servers.refresh(), true);
  const others = ['mcp__echo__echo', 'mcp__echo__env', 'mcp__echo__ask'];
  assert.deepEqual(names(), ['add', 'break', 'same', 'added3', ...others]);
  assert.equal(await servers.refresh(), false);
  assert.deepEqual(ofType(events, 'tools-changed'), [{ type: 'tools-changed', server: 'changing-list', tools: 4 }]);

  await Promise.all(Array.from({ length: 20 }, () => call(servers, 'changing-list.add')));
  assert.equal(await servers.refresh(), true);
  assert.equal(names().length, 24 + others.length);

  await call(servers, 'changing-list.same');
  assert.equal(await servers.refresh(), false);
});

test('a list that can not be read again stays as it was', async (context) => {
  const { connect, events } = bench(context);
  const servers = await connect([fixture('changing-list')]);
  await call(servers, 'changing-list.break');
  assert.equal(await servers.refresh(), false);
  assert.equal(servers.tools.length, 3);
  assert.deepEqual(ofType(events, 'log'), [
    {
      type: 'log',
      server: 'changing-list',
      level: 'error',
      logger: 'codemode-run',
      data: 'the list of tools could not be read again: no list today',
    },
  ]);
});
