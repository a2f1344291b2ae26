import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { CodemodeError } from '../../src/errors.js';
import { Course } from '../../src/mcp/course.js';
import type { McpServers } from '../../src/mcp/index.js';
import { eventually } from '../support/processes.js';
import { bench, call, ofType, rejection } from './fixture-servers.js';
import { type Handler, sdkHandler, webServer } from './web-server.js';

const eventStream = { 'content-type': 'text/event-stream' };
const json = (response: ServerResponse, value: unknown, headers = {}): unknown =>
  response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));

type Answer = (response: ServerResponse, id: number) => unknown;

/** A server that is well but for its answers to calls, and to requests for a stream if there is `get`. */
async function odd(context: TestContext, { answer, get }: { readonly answer?: Answer; readonly get?: Handler }) {
  const inner = sdkHandler({ define: (server) => server.registerTool('work', {}, () => ({ content: [] })) });
  const { connect, events } = bench(context);
  const { config, requests } = await webServer(context, (request, response, body) => {
    const { id = 0, method } = (body ?? {}) as { readonly id?: number; readonly method?: string };
    if (answer !== undefined && method === 'tools/call') return answer(response, id);
    if (get !== undefined && request.method === 'GET') return get(request, response, body);
    return inner(request, response, body);
  });
  const servers = await connect([config]);
  return { servers, events, requests, gets: () => requests.filter((one) => one === 'GET').length };
}

/** The error of a call. One that hangs fails its test, and not the whole run. */
const refusal = (servers: McpServers): Promise<CodemodeError> =>
  rejection(call(servers, 'web.work', {}, { signal: AbortSignal.timeout(30_000) }));

const raw =
  (text: string): Answer =>
  (response) =>
    response.socket?.end(`${text}\r\nContent-Length: 0\r\n\r\n`);
const result = (id: number) => ({ jsonrpc: '2.0', id, result: { content: [] } });
const another = /: the server answered the request with something else than the answer to it$/;
const ended = /: the server ended the stream without an answer$/;

const answers: Readonly<Record<string, readonly [Answer, RegExp]>> = {
  'that of another request': [(response, id) => json(response, result(id + 900)), another],
  'an empty batch': [(response) => json(response, []), another],
  'a notification': [(response) => json(response, { jsonrpc: '2.0', method: 'x' }), another],
  'a word of thanks': [(response) => response.writeHead(202).end(), another],
  'another protocol': [
    (response) =>
      response.socket?.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'),
    /\/mcp answered with HTTP 101: Switching Protocols$/,
  ],
  'a status of 600': [raw('HTTP/1.1 600 Odd'), /\/mcp answered with HTTP 600: Odd$/],
  'a status of 999': [raw('HTTP/1.1 999 Odd'), /\/mcp answered with HTTP 999: Odd$/],
  compressed: [
    (response, id) =>
      response
        .writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
        .end(gzipSync(JSON.stringify(result(id)))),
    /\/mcp answered with content-encoding gzip, which was not asked for: /,
  ],
  'compressed events': [
    (response) => response.writeHead(200, { ...eventStream, 'content-encoding': 'br' }).end('xx'),
    /\/mcp answered with content-encoding br, which was not asked for: /,
  ],
  'a compressed error': [
    (response) => response.writeHead(418, { 'content-encoding': 'gzip' }).end(gzipSync('no')),
    /\/mcp answered with HTTP 418$/,
  ],
  'an event with an id and nothing else': [(response) => response.writeHead(200, eventStream).end('id: 1\n\n'), ended],
  'a stream with the result of another request': [
    (response, id) => response.writeHead(200, eventStream).end(`id: 1\ndata: ${JSON.stringify(result(id + 900))}\n\n`),
    ended,
  ],
};

for (const [name, [answer, expected]] of Object.entries(answers)) {
  test(`a call whose answer can not come any more is rejected: ${name}`, async (context) => {
    const { servers } = await odd(context, { answer });
    const { code, message } = await refusal(servers);
    assert.equal(code, 'mcp-server-failed');
    assert.match(message, expected);
    assert.match(message, /^MCP server `web`: tool `work`: /);
  });
}

const interrupted: Answer = (response) => response.writeHead(200, eventStream).end('retry: 0\nid: 1\ndata:\n\n');

for (const [name, status, headers] of [
  ['no', 405, {}],
  ['something else', 200, { 'content-type': 'application/json' }],
  ['nothing', 204, {}],
] as const) {
  test(`a stream that a server does not take up again rejects its call: it has ${name} stream`, async (context) => {
    const { servers } = await odd(context, {
      answer: interrupted,
      get: (_request, response) => response.writeHead(status, headers).end(),
    });
    assert.match((await refusal(servers)).message, /an answer, and does not take it up again$/);
  });
}

test('a stream is not opened again at once, whatever the server says', async (context) => {
  const times: number[] = [];
  await odd(context, {
    get: (_request, response) => {
      times.push(performance.now());
      response.writeHead(200, eventStream).end(`retry: 0\nid: ${times.length}\ndata:\n\n`);
    },
  });
  await eventually(() => times.length === 2);
  const [first = 0, second = 0] = times;
  assert.ok(second - first >= 990);
});

test('streams that end again and again, and nothing comes of them, are not opened for ever', async (context) => {
  // The pauses between them have a test of their own.
  context.mock.method(Course.prototype, 'turn', async () => {});
  const { servers, events, gets } = await odd(context, {
    answer: interrupted,
    get: (_request, response) => response.writeHead(200, eventStream).end('retry: 0\nid: 1\ndata:\n\n'),
  });
  await eventually(() => ofType(events, 'log').length === 1);
  assert.equal(
    ofType(events, 'log')[0]?.data,
    'what the server tells of its own accord is not listened to any more: ' +
      'its stream of events ended 20 times without a message',
  );
  assert.equal(gets(), 20);
  assert.match((await refusal(servers)).message, ended);
  assert.equal(gets(), 39);
  assert.equal(ofType(events, 'log').length, 1);
});

const pour =
  (first: string, chunk: string): Answer =>
  (response) => {
    response.writeHead(200, eventStream).write(first);
    const more = (): void => {
      while (!response.destroyed && response.write(chunk));
      if (!response.destroyed) response.once('drain', more);
    };
    more();
  };

for (const [name, first, chunk] of [
  ['a line', 'data: ', 'a'.repeat(2 ** 18)],
  ['an event', '', `data: ${'a'.repeat(2 ** 16)}\n`],
  ['a comment', ': ', 'a'.repeat(2 ** 18)],
  ['an event of short lines', '', 'data:\n'.repeat(2 ** 14)],
] as const) {
  test(`a call that is answered with ${name} without an end is rejected`, async (context) => {
    const { servers } = await odd(context, { answer: pour(first, chunk) });
    assert.match(
      (await refusal(servers)).message,
      /: the server sent an event of more than 67108864 bytes \(64 MiB\) or 1000000 lines$/,
    );
  });
}

test('nobody listens to a stream of a server that poured an event without an end into it', async (context) => {
  const { servers, events, gets } = await odd(context, {
    get: (_request, response) => pour('data: ', 'a'.repeat(2 ** 18))(response, 0),
  });
  await eventually(() => ofType(events, 'log').length === 1, 30_000);
  assert.match(
    String(ofType(events, 'log')[0]?.data),
    /not listened to any more: the server sent an event of more than/,
  );
  assert.deepEqual(await call(servers, 'web.work'), { content: [] });
  assert.equal(gets(), 1);
});

test('a server that asks without end over HTTP and does not take the answers is ended', async (context) => {
  const inner = sdkHandler({ define: (server) => server.registerTool('work', {}, () => ({ content: [] })) });
  const { connect } = bench(context);
  const { config } = await webServer(context, (request, response, body) => {
    const { method, result: answered } = (body ?? {}) as { readonly method?: string; readonly result?: unknown };
    if (answered !== undefined) return undefined;
    if (method !== 'tools/call') return inner(request, response, body);
    return pour('', `data: ${JSON.stringify({ jsonrpc: '2.0', id: 'x', method: 'ping' })}\n\n`)(response, 0);
  });
  const servers = await connect([config]);
  const { message } = await refusal(servers);
  assert.match(message, /: the server does not read what it asked for: more than 1000 answers to it are waiting$/);
});
