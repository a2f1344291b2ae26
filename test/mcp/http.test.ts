import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { ToolProgress } from '../../src/tools/tool.js';
import { eventually } from '../support/processes.js';
import { bench, call, fixture, ofType, rejection } from './fixture-servers.js';
import { type Handler, sdkHandler, webServer } from './web-server.js';

const image = { type: 'image' as const, data: 'QUJD'.repeat(5 * 2 ** 20), mimeType: 'image/png' };

function define(server: McpServer): void {
  server.registerTool('hello', { description: 'Greets.' }, () => ({ content: [{ type: 'text', text: 'hellö' }] }));
  server.registerTool('look', {}, () => ({ content: [image] }));
  server.registerTool('grow', {}, () => {
    server.registerTool('grown', {}, () => ({ content: [] }));
    return { content: [] };
  });
  server.registerTool('work', {}, async ({ sendNotification, _meta, signal }) => {
    const progressToken = _meta?.progressToken ?? 0;
    await sendNotification({ method: 'notifications/progress', params: { progressToken, progress: 1, total: 2 } });
    await sendNotification({ method: 'notifications/message', params: { level: 'info', data: 'at work' } });
    return await new Promise((resolve) => {
      signal.addEventListener('abort', () => resolve({ content: [] }));
      if (_meta?.progressToken !== undefined) resolve({ content: [{ type: 'text', text: 'worked' }] });
    });
  });
}

for (const json of [false, true]) {
  test(`tools are reached over streamable HTTP (${json ? 'JSON' : 'events'}), in a session that ends`, async (context) => {
    const { connect, events } = bench(context);
    const { config, requests } = await webServer(context, sdkHandler({ json, define }));
    const servers = await connect([config]);
    assert.deepEqual(
      servers.tools.map(({ name, description, group }) => [name, description, group?.description]),
      ['hello', 'look', 'grow', 'work'].map((name) => [
        `mcp__web__${name}`,
        name === 'hello' ? 'Greets.' : '',
        'On the web.',
      ]),
    );
    assert.deepEqual((await call(servers, 'web.hello')).content, [{ type: 'text', text: 'hellö' }]);
    assert.deepEqual((await call(servers, 'web.look')).content, [image]);
    await servers.close();
    assert.equal(requests.at(-1), 'DELETE');
    assert.deepEqual(ofType(events, 'ended'), []);
    assert.match((await rejection(call(servers, 'web.hello'))).message, /tool `hello`: the connection was closed/);
  });
}

test('progress, logs and changes of the list come over HTTP too, and a call can be taken back', async (context) => {
  const { connect, events } = bench(context);
  const { config, requests } = await webServer(context, sdkHandler({ define }));
  const servers = await connect([config]);
  await eventually(() => requests.includes('GET'));
  const told: ToolProgress[] = [];
  const { content } = await call(servers, 'web.work', {}, { progress: (one) => told.push(one) });
  assert.equal(content[0]?.text, 'worked');
  assert.deepEqual(told, [{ progress: 1, total: 2 }]);
  await eventually(() => ofType(events, 'log').length === 1);
  const controller = new AbortController();
  const waiting = rejection(call(servers, 'web.work', {}, { signal: controller.signal }));
  await eventually(() => ofType(events, 'log').length === 2);
  controller.abort();
  assert.equal((await waiting).code, 'cancelled');
  await eventually(() => requests.includes('POST notifications/cancelled'));
  await call(servers, 'web.grow');
  await eventually(async () => (await servers.refresh()) && servers.tools.length === 5);
});

const failing = async (context: TestContext, handle: Handler, headers: Record<string, string> = {}) => {
  const { fails } = bench(context);
  const { config } = await webServer(context, handle);
  const error = await fails([{ ...config, headers }, fixture('echo')], { timeoutMs: 1_000 });
  assert.equal(error.code, 'mcp-server-failed');
  assert.doesNotMatch(error.message, /hush|\n/);
  return error.message.replace(/:\d+\/mcp/, '/mcp');
};

test('headers are sent, and a server that wants a token says so', async (context) => {
  const inner = sdkHandler({ define });
  const guarded: Handler = (request, response, body) =>
    request.headers.authorization === 'Bearer t' ? inner(request, response, body) : response.writeHead(401).end('no');
  const { connect } = bench(context);
  const { config } = await webServer(context, guarded);
  await connect([{ ...config, headers: { Authorization: 'Bearer t' } }]);
  assert.equal(
    await failing(context, guarded, { Authorization: 'Bearer wrong' }),
    'MCP server `web`: `initialize`: http://127.0.0.1/mcp refuses us (HTTP 401): ' +
      'put a token into `headers`, such as {"Authorization": "Bearer …"}',
  );
});

test('a page, an error and nonsense are told apart', async (context) => {
  const page: Handler = (_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end('<html></html>');
  assert.match(await failing(context, page), /\/mcp does not speak MCP: it answered with text\/html; charset=utf-8$/);
  const missing: Handler = (_request, response) =>
    response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not\nfound</h1>');
  assert.match(await failing(context, missing), /\/mcp answered with HTTP 404$/);
  const broken: Handler = (_request, response) => response.writeHead(500).end('out of\norder');
  assert.match(await failing(context, broken), /\/mcp answered with HTTP 500: out of order$/);
  for (const body of ['{"hello": 1}', '{"jsonrpc": ', '']) {
    const nonsense: Handler = (_request, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(body);
    assert.match(await failing(context, nonsense), /does not speak MCP: its answer is no message of JSON-RPC$/);
  }
});

test('a server that does not answer is given up at the limit', async (context) => {
  assert.match(await failing(context, () => {}), /`initialize`: no answer within 1000 ms$/);
  const half: Handler = (_request, response) =>
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
  assert.match(await failing(context, half), /`initialize`: no answer within 1000 ms$/);
  const inner = sdkHandler({ define });
  const stuck: Handler = (request, response, body) =>
    (body as { method?: string } | undefined)?.method === 'notifications/initialized'
      ? undefined
      : inner(request, response, body);
  assert.match(await failing(context, stuck), /`initialize`: no answer within 1000 ms$/);
});

test('a server that is not there is told with its address and the cause', async (context) => {
  const { fails } = bench(context);
  const { config, stop } = await webServer(context, () => {});
  await stop();
  const { message } = await fails([config]);
  assert.match(
    message,
    /`initialize`: http:\/\/127\.0\.0\.1:\d+\/mcp cannot be reached: connect ECONNREFUSED 127\.0\.0\.1:\d+$/,
  );
});

test('a server that goes away rejects the calls that wait, and later ones, and no others', async (context) => {
  const { connect, events } = bench(context);
  const { config, stop } = await webServer(context, sdkHandler({ define }));
  const servers = await connect([config, fixture('echo')]);
  const waiting = [call(servers, 'web.work'), call(servers, 'web.work')].map(rejection);
  await eventually(() => ofType(events, 'log').length === 2);
  await stop();
  for (const { code, message } of await Promise.all(waiting)) {
    assert.equal(code, 'mcp-server-failed');
    assert.match(message, /^MCP server `web`: tool `work`: the server ended the stream without an answer$/);
  }
  assert.match((await rejection(call(servers, 'web.hello'))).message, /tool `hello`: http:\S+ cannot be reached: /);
  assert.equal((await call(servers, 'echo.echo', { a: 1 })).content[0]?.text, '{"a":1}');
});

test('a server that does not let go of a session does not hold up the end', async (context) => {
  const inner = sdkHandler({ define });
  const { connect } = bench(context);
  const { config, requests } = await webServer(context, (request, response, body) =>
    request.method === 'DELETE' ? undefined : inner(request, response, body),
  );
  const servers = await connect([config]);
  await servers.close();
  assert.equal(requests.at(-1), 'DELETE');
});

test('a name with several addresses where nobody listens tells of them', async (context) => {
  const { fails } = bench(context);
  const { config, stop } = await webServer(context, () => {});
  await stop();
  const { message } = await fails([{ ...config, url: config.url.replace('127.0.0.1', 'localhost') }]);
  assert.match(message, /`initialize`: http:\/\/localhost:\d+\/mcp cannot be reached: connect ECONNREFUSED /);
});

test('a server elsewhere is not followed to', async (context) => {
  const { config: other, requests } = await webServer(context, sdkHandler({ define }));
  const away: Handler = (_request, response) => response.writeHead(307, { location: other.url }).end();
  const message = await failing(context, away, { Authorization: 'Bearer t' });
  assert.match(message, /\/mcp answered with HTTP 307: Redirect to http:\/\/127\.0\.0\.1:\d+\/mcp not followed/);
  assert.deepEqual(requests, []);
});

test('an answer that breaks off rejects its call', async (context) => {
  const inner = sdkHandler({ define });
  const { connect } = bench(context);
  const { config } = await webServer(context, (request, response, body) => {
    if ((body as { method?: string } | undefined)?.method !== 'tools/call') return inner(request, response, body);
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': 1_000 });
    response.write('{"jsonrpc": "2.0"', () => response.destroy());
  });
  const servers = await connect([config]);
  assert.match(
    (await rejection(call(servers, 'web.hello'))).message,
    /tool `hello`: http:\S+ cannot be reached: the connection broke off$/,
  );
});

for (const found of [true, false]) {
  test(`a stream that ends early is taken up again, ${found ? 'and has the answer' : 'in vain'}`, async (context) => {
    const inner = sdkHandler({ define });
    const { connect } = bench(context);
    let id: unknown;
    const { config, requests } = await webServer(context, (request, response, body) => {
      const message = body as { method?: string; id?: unknown } | undefined;
      const events = { 'content-type': 'text/event-stream' };
      if (message?.method === 'tools/call') {
        ({ id } = message);
        return response.writeHead(200, events).end('retry: 10\nid: first\ndata:\n\n');
      }
      if (request.headers['last-event-id'] === undefined) return inner(request, response, body);
      if (!found) return response.writeHead(503).end();
      const result = { content: [{ type: 'text', text: request.headers['last-event-id'] }] };
      return response.writeHead(200, events).end(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`);
    });
    const servers = await connect([config]);
    await eventually(() => requests.includes('GET'));
    if (found) assert.equal((await call(servers, 'web.hello')).content[0]?.text, 'first');
    else assert.match((await rejection(call(servers, 'web.hello'))).message, /ended the stream without an answer$/);
  });
}

test('an answer over HTTP that is too long rejects its call', async (context) => {
  const inner = sdkHandler({ define });
  const { connect } = bench(context);
  const { config } = await webServer(context, (request, response, body) => {
    if ((body as { method?: string } | undefined)?.method !== 'tools/call') return inner(request, response, body);
    response.writeHead(200, { 'content-type': 'application/json' });
    const pour = (parts: number): void => {
      if (parts > 0) response.write('x'.repeat(2 ** 20), () => pour(parts - 1));
      else response.end();
    };
    pour(70);
  });
  const servers = await connect([config]);
  assert.match(
    (await rejection(call(servers, 'web.hello'))).message,
    /a message of more than 67108864 bytes \(64 MiB\)$/,
  );
});

test('a session that the server has forgotten is told', async (context) => {
  const { connect } = bench(context);
  let handle = sdkHandler({ define });
  const { config } = await webServer(context, (...all) => handle(...all));
  const servers = await connect([config]);
  handle = sdkHandler({ define });
  assert.match(
    (await rejection(call(servers, 'web.hello'))).message,
    /does not know this session any more \(HTTP 404\)$/,
  );
});

for (const type of ['application/json', 'text/event-stream']) {
  test(`an answer that is none rejects its call (${type})`, async (context) => {
    const inner = sdkHandler({ define });
    const { connect } = bench(context);
    const { config } = await webServer(context, (request, response, body) =>
      (body as { method?: string } | undefined)?.method === 'tools/call'
        ? response.writeHead(200, { 'content-type': type }).end('data: {"some": "thing"}\n\n')
        : inner(request, response, body),
    );
    const servers = await connect([config]);
    const { message } = await rejection(call(servers, 'web.hello'));
    assert.match(message, /no message of JSON-RPC$|ended the stream without an answer$/);
  });
}

test('an open session does not outlive its closing', async (context) => {
  const { config } = await webServer(context, sdkHandler({ define }));
  const module = new URL('../../src/mcp/index.js', import.meta.url).href;
  const script = `
    import { McpServers } from ${JSON.stringify(module)};
    const servers = await McpServers.connect([${JSON.stringify(config)}], { environment: {} });
    await servers.close();
    process.stdout.write('closed');`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  context.after(() => child.kill('SIGKILL'));
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  const [code] = (await once(child, 'close')) as [number];
  assert.deepEqual([code, said], [0, 'closed']);
});
