import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Course } from '../../src/mcp/course.js';
import type { McpEvent } from '../../src/mcp/index.js';
import { eventually } from '../support/processes.js';
import { bench, call, ofType, rejection } from './fixture-servers.js';
import { type Handler, sdkHandler, webServer } from './web-server.js';

const events = { 'content-type': 'text/event-stream' };
const result = (id: unknown): string => `data: ${JSON.stringify({ jsonrpc: '2.0', id, result: { content: [] } })}\n\n`;

interface Odd {
  /** What comes on the stream of a call, which then ends. */
  readonly begin: string;
  /** Has the id of the last call. */
  readonly get?: (...all: [...Parameters<Handler>, id: unknown]) => unknown;
}

async function interrupting(context: TestContext, { begin, get }: Odd) {
  // No other streams than those that are ours.
  const inner = sdkHandler({
    json: true,
    define: (server) => server.registerTool('work', {}, () => ({ content: [] })),
  });
  const { connect, events: seen } = bench(context);
  let last: unknown;
  const lastIds: unknown[] = [];
  const { config } = await webServer(context, (request, response, body) => {
    const { id, method } = (body ?? {}) as { readonly id?: unknown; readonly method?: string };
    if (request.method === 'GET') {
      lastIds.push(request.headers['last-event-id']);
      return get === undefined ? response.writeHead(405).end() : get(request, response, body, last);
    }
    if (method !== 'tools/call') return inner(request, response, body);
    last = id;
    return response.writeHead(200, events).end(begin);
  });
  const servers = await connect([config]);
  await eventually(() => lastIds.length > 0);
  return { servers, lastIds, seen };
}

const timers = (): number => process.getActiveResourcesInfo().filter((one) => one === 'Timeout').length;

test('streams that are to be taken up again much later leave no timer behind', async (context) => {
  const before = timers();
  const ended = context.mock.method(Course.prototype, 'ended');
  const { servers } = await interrupting(context, { begin: 'retry: 3600000\nid: 1\ndata:\n\n' });
  const giving = new AbortController();
  const given = [1, 2, 3].map(() => rejection(call(servers, 'web.work', {}, { signal: giving.signal })));
  const waiting = [1, 2].map(() => rejection(call(servers, 'web.work')));
  await eventually(() => ended.mock.callCount() === 5);
  giving.abort();
  for (const { code } of await Promise.all(given)) assert.equal(code, 'cancelled');
  await servers.close();
  for (const { message } of await Promise.all(waiting)) assert.match(message, /closed on this side$/);
  // Bodies that nobody wants are let go of a moment later.
  await eventually(() => timers() <= before);
});

test('a call that was given up before its stream is taken up again is left alone', async (context) => {
  const turns: (() => void)[] = [];
  const turn = context.mock.method(Course.prototype, 'turn', () => Promise.resolve());
  const { servers, lastIds } = await interrupting(context, {
    begin: 'id: 1\ndata:\n\n',
    get: (request, response, _body, id) =>
      request.headers['last-event-id'] === undefined
        ? response.writeHead(405).end()
        : response.writeHead(200, events).end(result(id)),
  });
  turn.mock.mockImplementation(() => new Promise((resolve) => turns.push(() => resolve())));
  const giving = new AbortController();
  const given = rejection(call(servers, 'web.work', {}, { signal: giving.signal }));
  await eventually(() => turns.length > 0);
  giving.abort();
  assert.equal((await given).code, 'cancelled');
  const before = lastIds.filter((id) => id === '1').length;
  turn.mock.mockImplementation(() => Promise.resolve());
  for (const go of turns) go();
  assert.deepEqual(await call(servers, 'web.work'), { content: [] });
  assert.equal(lastIds.filter((id) => id === '1').length, before + 1);
});

test('the last id of a call is kept over streams that have none', async (context) => {
  context.mock.method(Course.prototype, 'turn', async () => {});
  let gets = 0;
  const { servers, lastIds } = await interrupting(context, {
    begin: 'id: first\ndata:\n\n',
    get: (request, response, _body, id) => {
      if (request.headers['last-event-id'] === undefined) return response.writeHead(405).end();
      gets += 1;
      return response.writeHead(200, events).end(gets < 3 ? ': nothing\n\n' : result(id));
    },
  });
  assert.deepEqual(await call(servers, 'web.work'), { content: [] });
  assert.deepEqual(lastIds, [undefined, 'first', 'first', 'first']);
});

test('the stream on which a server speaks of its own accord is taken up behind its last event', async (context) => {
  context.mock.method(Course.prototype, 'turn', async () => {});
  const { lastIds } = await interrupting(context, {
    begin: '',
    get: (request, response) => {
      const next = Number(request.headers['last-event-id'] ?? 0) + 1;
      response.writeHead(200, events).write(`id: ${next}\ndata:\n\n`);
      return next < 4 ? response.end() : undefined;
    },
  });
  await eventually(() => lastIds.length === 4);
  assert.deepEqual(lastIds, [undefined, '1', '2', '3']);
});

const said = (seen: readonly McpEvent[]): string[] => ofType(seen, 'log').map(({ data }) => String(data));
const notListening = 'what the server tells of its own accord is not listened to any more: ';

for (const [how, status, why] of [
  ['cannot be', 503, /^http:\/\/127\.0\.0\.1:\d+\/mcp answered with HTTP 503: Service Unavailable$/],
  ['is not to be', 405, /^it does not offer the stream of events any more$/],
] as const) {
  test(`the stream on which a server speaks of its own accord is missed when it ${how} taken up again`, async (context) => {
    context.mock.method(Course.prototype, 'turn', async () => {});
    const { seen, servers, lastIds } = await interrupting(context, {
      begin: '',
      get: (request, response) =>
        request.headers['last-event-id'] === undefined
          ? response.writeHead(200, events).end('id: 1\ndata:\n\n')
          : response.writeHead(status).end(),
    });
    await eventually(() => said(seen).length > 0);
    await servers.close();
    const [message = '', ...more] = said(seen);
    assert.deepEqual(more, []);
    assert.ok(message.startsWith(notListening), message);
    assert.match(message.slice(notListening.length), why);
    assert.equal(lastIds.length, status === 405 ? 2 : 3);
  });
}

test('nothing is missed of a server that never spoke of its own accord, or is left', async (context) => {
  context.mock.method(Course.prototype, 'turn', async () => {});
  for (const status of [405, 503, 200]) {
    const { seen, servers } = await interrupting(context, {
      begin: '',
      get: (_request, response) =>
        status === 200 ? response.writeHead(200, events).write(':\n') : response.writeHead(status).end(),
    });
    await servers.close();
    assert.deepEqual(said(seen), []);
  }
});

test('an id that no header can hold ends its call', async (context) => {
  context.mock.method(Course.prototype, 'turn', async () => {});
  const { servers } = await interrupting(context, { begin: 'id: \u2603\ndata:\n\n' });
  assert.match(
    (await rejection(call(servers, 'web.work'))).message,
    /: the server ended the stream without an answer$/,
  );
});
