import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { type TestContext, test } from 'node:test';
import { HttpChannel } from '../../src/mcp/http-channel.js';
import { eventually } from '../support/processes.js';
import { bench, call, rejection } from './fixture-servers.js';
import { sdkHandler, webServer } from './web-server.js';

/** The stream on which the server speaks of its own accord, and one connection that waits for the next request. */
const mostAtRest = 2;
const times = 50;

type Answer = (response: ServerResponse, id: number) => unknown;

async function answering(context: TestContext, answer: Answer) {
  const inner = sdkHandler({ define: (server) => server.registerTool('work', {}, () => ({ content: [] })) });
  const { connect } = bench(context);
  const asked = new Set<ServerResponse>();
  const { config, requests, sockets } = await webServer(context, (request, response, body) => {
    const { id = 0, method } = (body ?? {}) as { readonly id?: number; readonly method?: string };
    if (method !== 'tools/call') return inner(request, response, body);
    asked.add(response);
    return answer(response, id);
  });
  return { servers: await connect([config]), requests, sockets, asked };
}

const events = (response: ServerResponse): ServerResponse =>
  response.writeHead(200, { 'content-type': 'text/event-stream' });
const result = (id: number): string => `data: ${JSON.stringify({ jsonrpc: '2.0', id, result: { content: [] } })}\n\n`;

const silences: Readonly<Record<string, Answer>> = {
  nothing: () => {},
  'a stream without an event': (response) => events(response).write(': x\n\n'),
  'a stream to be taken up again': (response) => events(response).write('retry: 3600000\nid: 1\ndata:\n\n'),
  'the beginning of a message': (response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).write('{"jsonrpc"'),
};

for (const [name, answer] of Object.entries(silences)) {
  test(`calls that were taken back hold no connections: the server sent ${name}`, async (context) => {
    const { servers, requests, sockets, asked } = await answering(context, answer);
    for (let time = 1; time <= times; time += 1) {
      const controller = new AbortController();
      const waiting = rejection(call(servers, 'web.work', {}, { signal: controller.signal }));
      await eventually(() => asked.size === time);
      controller.abort();
      assert.equal((await waiting).code, 'cancelled');
    }
    await eventually(() => requests.filter((one) => one === 'POST notifications/cancelled').length === times);
    await eventually(() => sockets.size <= mostAtRest);
  });
}

const thanks: Readonly<Record<string, (response: ServerResponse) => unknown>> = {
  'no body': (response) => response.writeHead(202).end(),
  'a body': (response) => response.writeHead(202).end('Accepted'),
  'a body that nobody can read': (response) => response.writeHead(202, { 'content-encoding': 'br' }).end('xx'),
  'a long body': (response) => response.writeHead(202).end('x'.repeat(2 ** 20)),
  'a body without an end': (response) => response.writeHead(202).write('Accepted'),
  'a message that was not asked for': (response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}'),
};

for (const [name, answer] of Object.entries(thanks)) {
  test(`notifications hold no connections: they are answered with ${name}`, async (context) => {
    const { config, requests, sockets } = await webServer(context, (_request, response) => answer(response));
    const channel = await HttpChannel.open(config, {
      message: () => true,
      stray: () => {},
      stderr: () => {},
      warn: () => {},
      lost: () => {},
      ended: () => {},
    });
    context.after(() => channel.close());
    for (let time = 0; time < times; time += 1) await channel.send({ jsonrpc: '2.0', method: 'x' });
    assert.equal(requests.length, times);
    await eventually(() => sockets.size <= mostAtRest);
  });
}

test('streams that stay open after the answer hold no connections', async (context) => {
  const { servers, sockets } = await answering(context, (response, id) => events(response).write(result(id)));
  for (let time = 0; time < times; time += 1) assert.deepEqual(await call(servers, 'web.work'), { content: [] });
  await eventually(() => sockets.size <= mostAtRest);
});

test('a connection serves again after an answer', async (context) => {
  const ports = new Set<number | undefined>();
  const { servers, asked } = await answering(context, (response, id) => {
    ports.add(response.socket?.remotePort);
    events(response).write(result(id), () => setImmediate(() => response.end()));
  });
  for (let time = 1; time <= times; time += 1) {
    await call(servers, 'web.work');
    // The next call comes after the end of the stream.
    await eventually(() => [...asked].every((response) => response.writableFinished));
  }
  assert.ok(ports.size < times / 2, `${ports.size} connections for ${times} calls`);
});

test('many calls at once make Node warn of nothing', async (context) => {
  const warnings: Error[] = [];
  const warned = (warning: Error): void => void warnings.push(warning);
  process.on('warning', warned);
  context.after(() => process.off('warning', warned));
  const waiting: (() => void)[] = [];
  const { servers } = await answering(context, (response, id) => {
    waiting.push(() => events(response).end(result(id)));
    if (waiting.length === times) for (const go of waiting) go();
  });
  await Promise.all(Array.from({ length: times }, () => call(servers, 'web.work')));
  await new Promise(setImmediate);
  assert.deepEqual(warnings, []);
});
