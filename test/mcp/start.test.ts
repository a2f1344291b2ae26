import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/sdk/types.js';
import { knownVersions } from '../../src/mcp/protocol-version.js';
import { eventually } from '../support/processes.js';
import { bench, call, fixture, ofType } from './fixture-servers.js';

test('a server tells its name, its tools and what it is for', async (context) => {
  const { connect, events } = bench(context);
  const servers = await connect([fixture('echo')]);
  const group = { name: 'mcp__echo', description: 'Say something.' };
  assert.deepEqual(
    servers.tools.map(({ name, kind, group }) => ({ name, kind, group })),
    ['echo', 'env', 'ask'].map((name) => ({ name: `mcp__echo__${name}`, kind: 'function', group })),
  );
  const [ready, ...others] = ofType(events, 'ready');
  assert.ok(ready !== undefined && ready.ms > 0);
  assert.deepEqual(
    { ...ready, ms: 0 },
    {
      type: 'ready',
      server: 'echo',
      name: 'fixture',
      version: '1.2.3',
      tools: 3,
      ms: 0,
    },
  );
  assert.deepEqual(others, []);
  assert.deepEqual(servers.failures, []);
});

test('we speak the versions that the reference implementation speaks', () => {
  assert.deepEqual([...knownVersions], SUPPORTED_PROTOCOL_VERSIONS);
});

test('a banner and logs on stdout are tolerated, and told of', async (context) => {
  const { connect, events } = bench(context);
  const servers = await connect([fixture('banner-first')]);
  assert.equal((await call(servers, 'banner-first.work')).content[0]?.text, 'worked');
  assert.deepEqual(
    ofType(events, 'stray').map(({ text }) => text),
    ['my-server v1 is ready', '{"not": "rpc"}', '[debug] {working'],
  );
});

test('a server that exits at once fails with its exit status and what it said', async (context) => {
  const { fails, events } = bench(context);
  const error = await fails([fixture('exits-at-once')]);
  assert.equal(error.code, 'mcp-server-failed');
  assert.match(
    error.message,
    /^MCP server `exits-at-once`: `initialize`: the server ended: exit status: 3 after \d+ ms; program: \S*node; on its stdout: "starting" \(logs belong on stderr\); stderr: first line \| Error: no database$/,
  );
  const { server, exit, failures } = error.data;
  assert.deepEqual({ server, exit }, { server: 'exits-at-once', exit: { code: 3, signal: null } });
  assert.deepEqual(failures, [{ server: 'exits-at-once', message: error.message }]);
  assert.deepEqual(ofType(events, 'failed').length, 1);
  assert.deepEqual(ofType(events, 'ended'), []);
});

for (const [name, step] of [
  ['silent', 'initialize'],
  ['never-lists', 'tools/list'],
] as const) {
  test(`a server that never answers ${step} is ended at the limit`, async (context) => {
    const { fails } = bench(context);
    const { message, code } = await fails([fixture(name)], { timeoutMs: 1_000 });
    assert.equal(code, 'mcp-server-failed');
    assert.match(message, new RegExp(`^MCP server \`${name}\`: \`${step}\`: no answer within 1000 ms; program: `));
    if (name === 'silent') assert.match(message, /; stderr: waiting for a licence server$/);
  });
}

test('a server that pages for ever is ended at the limit, one with too many tools at once', async (context) => {
  const { fails } = bench(context);
  const endless = await fails([fixture('pages', 'endless')], { timeoutMs: 1_000 });
  assert.match(endless.message, /`tools\/list`: no answer within 1000 ms/);
  const many = await fails([fixture('pages', 'many')]);
  assert.match(many.message, /`tools\/list`: the server lists more than 10000 tools/);
});

test('the pages of a list are one list', async (context) => {
  const { connect } = bench(context);
  const { tools } = await connect([fixture('pages')]);
  assert.deepEqual(
    tools.map(({ name, description }) => [name, description]),
    ['t0', 't1', 't2'].map((name) => [`mcp__pages__${name}`, `Tool ${name}`]),
  );
});

test('a tool that is listed twice counts once, and schemas become those of the result', async (context) => {
  const { connect, events } = bench(context);
  const { tools } = await connect([fixture('listed-twice')]);
  const envelope = (structuredContent: unknown) => ({
    type: 'object',
    properties: {
      content: { type: 'array', items: { type: 'object' } },
      structuredContent,
      isError: { type: 'boolean' },
      _meta: { type: 'object' },
    },
    required: ['content'],
    additionalProperties: false,
  });
  assert.deepEqual(
    tools.map(({ handler, ...tool }) => tool),
    [
      {
        name: 'mcp__listed-twice__one',
        description: 'first',
        inputSchema: { type: 'object', required: ['a'] },
        outputSchema: envelope({ type: 'object', properties: { n: { type: 'number' } } }),
        kind: 'function',
        group: { name: 'mcp__listed-twice' },
      },
      {
        name: 'mcp__listed-twice__odd',
        description: 'Odd',
        inputSchema: { type: 'object' },
        outputSchema: envelope(true),
        kind: 'function',
        group: { name: 'mcp__listed-twice' },
      },
    ],
  );
  assert.deepEqual(
    ofType(events, 'log').map(({ logger, data }) => [logger, data]),
    [
      ['codemode-run', 'tool `one` is listed twice: the first counts'],
      ['codemode-run', 'a tool without a name is left out'],
    ],
  );
});

test('a server of another time is refused with both versions', async (context) => {
  const { fails } = bench(context);
  const { message } = await fails([fixture('wrong-version')]);
  assert.match(
    message,
    /`initialize`: the server speaks protocol version "1999-01-01"; this client knows 2025-11-25, /,
  );
});

test('a server that answers initialize with an error fails with it', async (context) => {
  const { fails } = bench(context);
  const { message } = await fails([fixture('refuses-initialize')]);
  assert.match(message, /`initialize`: the server answered with an error: no licence; program: /);
});

test('a program that is not there is an error of the server, not of a host', async (context) => {
  const { fails } = bench(context);
  const missing = await fails([{ ...fixture('echo'), command: 'no-such-program', env: { PATH: '/none' } }]);
  assert.equal(missing.code, 'mcp-server-failed');
  assert.equal(
    missing.message,
    'MCP server `echo`: cannot be started: no-such-program: No such file or directory (os error 2); ' +
      'there is no no-such-program in the server\'s PATH, which is "/none"',
  );
  const folder = await fails([{ ...fixture('echo'), cwd: '/no/such/folder' }]);
  assert.match(folder.message, /\(os error 2\); working directory not found: \/no\/such\/folder$/);
  const nul = await fails([{ ...fixture('echo'), args: ['a\0b'] }]);
  assert.match(nul.message, /nul byte found in provided data$/);
  const locked = await fails([{ ...fixture('echo'), command: '/etc/passwd' }]);
  for (const { message } of [missing, folder, nul, locked]) assert.doesNotMatch(message, /host|\n/);
});

test('a server gets the allow-listed part of the environment, and its own variables', async (context) => {
  const { connect } = bench(context);
  const config = { ...fixture('echo'), env: { API_TOKEN: 'its own' }, cwd: '/' };
  const environment = { PATH: process.env.PATH, HOME: '/home', OTHER_SECRET: 'ours', LC_ALL: 'C', HTTPS_PROXY: 'x' };
  const servers = await connect([config], { environment });
  const seen = JSON.parse((await call(servers, 'echo.env')).content[0]?.text ?? '');
  const { API_TOKEN, HOME, LC_ALL, cwd } = seen;
  assert.deepEqual({ API_TOKEN, HOME, LC_ALL, cwd }, { API_TOKEN: 'its own', HOME: '/home', LC_ALL: 'C', cwd: '/' });
  assert.equal('OTHER_SECRET' in seen || 'HTTPS_PROXY' in seen, false);
});

test('one failure ends all the servers that had started', async (context) => {
  const { fails, events } = bench(context);
  const error = await fails([fixture('echo'), fixture('exits-at-once'), fixture('silent'), fixture('stubborn')]);
  assert.match(error.message, /^MCP server `exits-at-once`: /);
  assert.deepEqual(
    ofType(events, 'failed').map(({ server }) => server),
    ['exits-at-once'],
  );
});

test('several failures are all in the data', async (context) => {
  const { fails } = bench(context);
  const missing = (name: string) => ({ ...fixture('echo'), name, command: '/no/such/program' });
  const { message, data } = await fails([missing('a'), missing('b')]);
  assert.match(message, /^MCP server `a`: /);
  assert.deepEqual(
    (data.failures as { server: string }[]).map(({ server }) => server),
    ['a', 'b'],
  );
});

test('optional servers that fail are left out', async (context) => {
  const { connect, events, running } = bench(context);
  const servers = await connect([fixture('exits-at-once'), fixture('echo'), fixture('silent')], {
    optional: true,
    timeoutMs: 2_000,
  });
  assert.deepEqual(
    servers.failures.map(({ server }) => server),
    ['exits-at-once', 'silent'],
  );
  assert.equal(ofType(events, 'failed').length, 2);
  assert.equal(running(), 1);
  assert.equal((await call(servers, 'echo.echo', { a: 1 })).content[0]?.text, '{"a":1}');
});

test('a start that is given up leaves nothing', async (context) => {
  const { fails, events } = bench(context);
  const controller = new AbortController();
  const failed = fails([fixture('echo'), fixture('silent')], { signal: controller.signal });
  await eventually(() => events.some(({ type }) => type === 'ready'));
  controller.abort(new Error('enough'));
  const { code, message, cause } = await failed;
  assert.deepEqual([code, message], ['cancelled', 'the start of the MCP servers was given up by the caller']);
  assert.equal((cause as Error).message, 'enough');
  assert.equal((await fails([fixture('echo')], { signal: controller.signal })).code, 'cancelled');
});

test('options that can not be used are refused', async (context) => {
  const { fails } = bench(context);
  for (const timeoutMs of [0, -1, Number.NaN]) {
    assert.match((await fails([fixture('echo')], { timeoutMs })).message, /^timeoutMs must be a number of ms above 0/);
  }
  assert.match((await fails([fixture('echo'), fixture('echo')])).message, /`echo` is given twice$/);
});

test('a listener that throws harms nobody', async (context) => {
  const { connect } = bench(context);
  const onEvent = () => {
    throw new Error('mine');
  };
  const servers = await connect([fixture('banner-first')], { onEvent, timeoutMs: Number.POSITIVE_INFINITY });
  assert.equal(servers.tools.length, 1);
});
