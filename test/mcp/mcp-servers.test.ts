import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { test } from 'node:test';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { type McpOptions, type McpServerConfig, McpServers } from '../../src/mcp/index.js';
import { isAlive } from '../support/processes.js';
import { bench, call, fixture, ofType, rejection } from './fixture-servers.js';
import { sdkHandler, webServer } from './web-server.js';

test('without a server there is nothing to start, and nothing to end', async () => {
  const servers = await McpServers.connect([]);
  assert.deepEqual([servers.tools, servers.failures, await servers.refresh()], [[], [], false]);
  await servers.close();
});

test('servers get the environment of this process, and our name, where nothing else was said', async (context) => {
  const seen: unknown[] = [];
  const inner = sdkHandler({ define: () => {} });
  const { config } = await webServer(context, (request, response, body) => {
    const { method, params } = (body ?? {}) as { method?: string; params?: { clientInfo?: unknown } };
    if (method === 'initialize') seen.push(params?.clientInfo);
    return inner(request, response, body);
  });
  await using servers = await McpServers.connect([fixture('echo'), config]);
  const { PATH, pid } = JSON.parse((await call(servers, 'echo.env')).content[0]?.text ?? '');
  assert.equal(PATH, process.env.PATH);
  assert.deepEqual(seen, [{ name: 'codemode-run', version: '0.0.0-unbundled' }]);
  await using others = await McpServers.connect([config], { clientInfo: { name: 'harness', version: '2' } });
  assert.equal(others.failures.length, 0);
  assert.deepEqual(seen[1], { name: 'harness', version: '2' });
  await servers.close();
  assert.equal(isAlive(pid), false);
});

test('the signal is let go of once the start is over, however it went', async (context) => {
  const { connect, fails } = bench(context);
  const { signal } = new AbortController();
  await fails([fixture('exits-at-once')], { signal });
  assert.deepEqual(getEventListeners(signal, 'abort'), []);
  await connect([fixture('echo')], { signal });
  assert.deepEqual(getEventListeners(signal, 'abort'), []);
});

test('many servers, and many calls with one signal, make Node warn of nothing', async (context) => {
  const warnings: Error[] = [];
  const warned = (warning: Error): void => void warnings.push(warning);
  process.on('warning', warned);
  context.after(() => process.off('warning', warned));
  const { connect } = bench(context);
  const define = (server: McpServer): void =>
    void server.registerTool('work', {}, () => new Promise((resolve) => setImmediate(resolve, { content: [] })));
  const { config } = await webServer(context, sdkHandler({ define }));
  const { signal } = new AbortController();
  const names = Array.from({ length: 12 }, (_, index) => `web${index}`);
  const servers = await connect(
    names.map((name) => ({ ...config, name })),
    { signal },
  );
  await Promise.all(names.map((name) => call(servers, `${name}.work`, {}, { signal })));
  await new Promise(setImmediate);
  assert.deepEqual(warnings, []);
  assert.deepEqual(getEventListeners(signal, 'abort'), []);
});

test('a server that announces changes for ever holds up nobody', async (context) => {
  const { connect, events } = bench(context);
  const servers = await connect([fixture('always-changing')], { timeoutMs: Number.POSITIVE_INFINITY });
  for (let cell = 0; cell < 3; cell += 1) {
    await servers.refresh();
    assert.equal((await call(servers, 'always-changing.work')).content[0]?.text, 'worked');
  }
  assert.ok(ofType(events, 'tools-changed').length > 0);
});

const stdio = fixture('echo');
const http = { name: 'web', kind: 'http', url: 'http://127.0.0.1:1/', headers: {} };
for (const [what, configs, problem] of [
  ['no list', {}, /^the MCP servers must be an array, got an object$/],
  ['no object', [stdio, 'node'], /^MCP server 2: must be an object, got a string$/],
  ['no name', [{ ...stdio, name: undefined }], /^MCP server 1: `name` must be a string, got nothing$/],
  ['an empty name', [{ ...stdio, name: ' ' }], /^MCP server 1: `name` must not be empty$/],
  ['no kind', [{ name: 'x', command: 'node' }], /^MCP server `x`: `kind` must be "stdio" or "http", got nothing$/],
  ['another kind', [{ ...http, kind: 'sse' }], /^MCP server `web`: `kind` must be "stdio" or "http", got "sse"$/],
  ['no command', [{ ...stdio, command: 7 }], /^MCP server `echo`: `command` must be a string, got a number$/],
  ['no arguments', [{ ...stdio, args: undefined }], /`args` must be an array of strings, got nothing$/],
  ['odd arguments', [{ ...stdio, args: [1] }], /`args` must be an array of strings, got an array with something else/],
  ['odd variables', [{ ...stdio, env: { A: 1 } }], /`env` must be an object of strings, got an object with something/],
  ['an odd folder', [{ ...stdio, cwd: 1 }], /`cwd` must be a string, got a number$/],
  ['no address', [{ ...http, url: 'localhost:1' }], /`url` must be an address that begins with http:\/\/ or https:/],
  ['odd headers', [{ ...http, headers: [] }], /`headers` must be an object of strings, got an array$/],
] as const) {
  test(`a configuration that can not be used is refused: ${what}`, async () => {
    const { code, message } = await rejection(McpServers.connect(configs as unknown as McpServerConfig[]));
    assert.equal(code, 'invalid-argument');
    assert.match(message, problem);
  });
}

test('options that can not be used are refused before anything is started', async () => {
  for (const [options, problem] of [
    [{ timeoutMs: '5' }, /^timeoutMs must be a number of ms above 0, or Infinity, got a string$/],
    [{ clientInfo: { name: 'x' } }, /^clientInfo must be an object with `name` and `version`, both strings, /],
    [{ clientInfo: 'x' }, /got a string$/],
  ] as const) {
    const { code, message } = await rejection(McpServers.connect([fixture('echo')], options as unknown as McpOptions));
    assert.equal(code, 'invalid-argument');
    assert.match(message, problem);
  }
});
