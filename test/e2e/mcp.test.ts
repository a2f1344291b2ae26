import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { sdkHandler, webServer } from '../mcp/web-server.js';
import { type CliEvent, parseEvents, root, runCli, temporaryFile, temporaryFolder } from '../support/cli.js';
import { mcpFile } from './mcp-config.js';

// Cells that call tools of MCP servers, through the whole command line.

const ofMcp = (stdout: string, event: string): CliEvent[] =>
  parseEvents(stdout).filter((one) => one.type === 'mcp' && one.event === event);

const texts = (stdout: string): string[] =>
  parseEvents(stdout)
    .filter(({ type }) => type === 'content')
    .flatMap(({ items }) => (items as { text: string }[]).map(({ text }) => text));

test('the example reads through one real server, remembers in another, and says the same each time', async (t) => {
  const TMPDIR = await temporaryFolder(t);
  const args = ['--mcp', join(root, 'examples/mcp.json'), join(root, 'examples/mcp-report.js')];
  const first = await runCli(t, args, { env: { TMPDIR } });
  assert.deepEqual([first.code, first.stderr], [0, '']);
  assert.match(first.stdout, /^settled\.js: .* \(calls weather\)$/m);
  assert.match(first.stdout, /^\d+ cells call \d+ tools$/m);
  const second = await runCli(t, args, { env: { TMPDIR } });
  assert.deepEqual([second.code, second.stdout], [0, first.stdout]);
});

test('a server that greets on stdout before it speaks MCP is used all the same', async (t) => {
  const file = await mcpFile(t, { greeter: 'banner-first' });
  const cell = 'content((await tools.mcp__greeter__work({})).content)';
  const plain = await runCli(t, ['--mcp', file, '-e', cell]);
  assert.deepEqual([plain.code, plain.stdout, plain.stderr], [0, 'worked\n', '']);
  const { stdout } = await runCli(t, ['--json', '--mcp', file, '-e', cell]);
  const stray = ofMcp(stdout, 'stray').map(({ server, text }) => `${server}: ${text}`);
  assert.ok(stray.includes('greeter: my-server v1 is ready'), JSON.stringify(stray));
});

test('a server is reached over HTTP, with a header from the environment', async (t) => {
  const define = (server: McpServer): void => {
    server.registerTool('hello', {}, () => ({ content: [{ type: 'text', text: 'hello' }] }));
  };
  const handle = sdkHandler({ define });
  const { config } = await webServer(t, (request, response, body) =>
    request.headers.authorization === 'Bearer s3cret' ? handle(request, response, body) : response.writeHead(401).end(),
  );
  const web = { url: config.url, headers: { Authorization: `Bearer \${WEB_TOKEN}` } };
  const file = await temporaryFile(t, 'mcp.json', JSON.stringify({ mcpServers: { web } }));
  const args = ['--mcp', file, '-e', 'content((await tools.mcp__web__hello({})).content)'];
  const { code, stdout, stderr } = await runCli(t, args, { env: { WEB_TOKEN: 's3cret' } });
  assert.deepEqual([code, stdout, stderr], [0, 'hello\n', '']);
  const refused = await runCli(t, args, { env: { WEB_TOKEN: 'wrong' } });
  assert.equal(refused.code, 3);
  assert.match(refused.stderr, /^codemode-run: MCP server `web`: .*401/);
  assert.doesNotMatch(refused.stderr, /wrong/);
  const unset = await runCli(t, args);
  assert.deepEqual([unset.code, unset.stdout], [2, '']);
  assert.match(unset.stderr, /WEB_TOKEN/);
});

test('several files are one set of servers', async (t) => {
  const one = await mcpFile(t, { one: 'echo' });
  const two = await mcpFile(t, { two: 'echo' });
  const cell = `const both = await Promise.all([tools.mcp__one__echo({ n: 1 }), tools.mcp__two__echo({ n: 2 })]);
    text(both.map(({ structuredContent }) => structuredContent))`;
  const { code, stdout, stderr } = await runCli(t, ['--mcp', one, '--mcp', two, '-e', cell]);
  assert.deepEqual([code, stdout, stderr], [0, '[{"n":1},{"n":2}]\n', '']);
});

test('an error that a tool reports is a result', async (t) => {
  const file = await mcpFile(t, { s: 'error-answers' });
  const cell = `for (const name of ['refuse', 'fail']) {
    const { isError, content } = await tools['mcp__s__' + name]({});
    text([isError, content[0].text]);
  }`;
  const { code, stdout } = await runCli(t, ['--mcp', file, '-e', cell]);
  assert.equal(code, 0);
  const [refused = '', failed] = stdout.trimEnd().split('\n');
  assert.match(refused, /^\[true,".*bad arguments"\]$/);
  assert.equal(failed, '[true,"it failed"]');
});

test('what a server adds to its list during a cell is there in the next one', async (t) => {
  const file = await mcpFile(t, { s: 'changing-list' });
  const add = 'await tools.mcp__s__add({}); text(typeof tools.mcp__s__added3)';
  const use = 'text((await tools.mcp__s__added3({})).content[0].text); text(ALL_TOOLS.length)';
  const { code, stdout, stderr } = await runCli(t, ['--json', '--mcp', file, '-e', add, '-e', use]);
  assert.deepEqual([code, stderr], [0, '']);
  // Three of the server's and one more, and the search for tools.
  assert.deepEqual(texts(stdout), ['undefined', 'ok', '5']);
  assert.deepEqual(
    ofMcp(stdout, 'tools-changed').map(({ server, tools }) => [server, tools]),
    [['s', 4]],
  );
});

test('a list that cannot be read again stays as it was', async (t) => {
  const file = await mcpFile(t, { s: 'changing-list' });
  const cells = ['-e', 'await tools.mcp__s__break({})', '-e', 'text((await tools.mcp__s__same({})).content[0].text)'];
  const { code, stdout } = await runCli(t, ['--json', '--mcp', file, ...cells]);
  assert.deepEqual([code, texts(stdout)], [0, ['ok']]);
  const [log] = ofMcp(stdout, 'log');
  assert.deepEqual([log?.level, log?.server], ['error', 's']);
  assert.match(String(log?.data), /no list today/);
});

test('progress and logs are lines with --verbose', async (t) => {
  const file = await mcpFile(t, { s: 'tells-progress' });
  const cell = 'await tools.mcp__s__work({})';
  const { code, stdout, stderr } = await runCli(t, ['--verbose', '--mcp', file, '-e', cell]);
  assert.deepEqual([code, stdout], [0, '']);
  const lines = stderr.split('\n').filter((line) => /^\[mcp |mcp__/.test(line));
  assert.match(lines[0] ?? '', /^\[mcp s\] ready after \d+ ms: fixture 1\.2\.3, 3 tools$/);
  assert.deepEqual(lines.slice(1), [
    '[codemode-run] mcp__s__work: 1 of 2: step 1',
    '[codemode-run] mcp__s__work: 2 of 2: step 2',
    '[mcp s] warning (db): {"slow":true}',
  ]);
  const quiet = await runCli(t, ['--mcp', file, '-e', cell]);
  assert.deepEqual([quiet.code, quiet.stdout, quiet.stderr], [0, '', '']);
});

test('progress and logs are events with --json, between the call and its answer', async (t) => {
  const file = await mcpFile(t, { s: 'tells-progress' });
  const { code, stdout } = await runCli(t, ['--json', '--mcp', file, '-e', 'await tools.mcp__s__work({})']);
  assert.equal(code, 0);
  const events = parseEvents(stdout);
  const told = events.filter(({ type, event }) => /^tool-/.test(type) || event === 'log');
  assert.deepEqual(
    told.map(({ type }) => type),
    ['tool-call', 'tool-progress', 'tool-progress', 'mcp', 'tool-result'],
  );
  const [call, first] = told;
  const about = { cellId: call?.cellId, id: call?.id, name: 'mcp__s__work' };
  assert.deepEqual(first, { type: 'tool-progress', ...about, progress: 1, total: 2, message: 'step 1' });
  const { level, logger, data } = told[3] ?? { type: '' };
  assert.deepEqual([level, logger, data], ['warning', 'db', { slow: true }]);
  const [ready] = ofMcp(stdout, 'ready');
  assert.deepEqual([ready?.server, ready?.name, ready?.version, ready?.tools], ['s', 'fixture', '1.2.3', 3]);
});

test('tools of two servers whose names would become one are both there, and say which they are', async (t) => {
  const file = await mcpFile(t, { 'a-b': 'echo', a_b: 'echo' });
  const cell = `const echoes = ALL_TOOLS.filter(({ name }) => name.startsWith('mcp__a_b__echo'));
    for (const { name, description } of echoes) {
      const { structuredContent } = await tools[name]({ name });
      text([structuredContent.name === name, description.includes('"mcp__a-b__echo"')]);
    }
    text(echoes.map(({ name }) => name).join(' '))`;
  const run = () => runCli(t, ['--json', '--mcp', file, '-e', cell]);
  const [{ code, stdout }, again] = await Promise.all([run(), run()]);
  assert.equal(code, 0);
  const [first, second, names = ''] = texts(stdout);
  // The one that had to change its name has its own name in its description.
  assert.deepEqual([first, second].sort(), ['[true,false]', '[true,true]']);
  assert.match(names, /^(mcp__a_b__echo_\w{4} mcp__a_b__echo|mcp__a_b__echo mcp__a_b__echo_\w{4})$/);
  assert.equal(texts(again.stdout)[2], names);
  const called = parseEvents(stdout).filter(({ type }) => type === 'tool-call');
  assert.deepEqual(called.map(({ name }) => name).sort(), ['mcp__a-b__echo', 'mcp__a_b__echo']);
});

test('a tool of a module and one of a server with the same name are a usage error', async (t) => {
  const file = await mcpFile(t, { s: 'echo' });
  const module = await temporaryFile(
    t,
    'own.tools.mjs',
    "export const tools = { mcp__s__echo: { description: 'Mine.', inputSchema: {}, handler: () => 1 } };",
  );
  const { code, stdout, stderr } = await runCli(t, ['--mcp', file, '--tools', module, '-e', 'text(1)']);
  assert.deepEqual([code, stdout], [2, '']);
  assert.match(stderr, /^codemode-run: tool "mcp__s__echo" of .*own\.tools\.mjs is also a tool of the group `mcp__s`/);
});

for (const [title, text, message] of [
  ['no JSON', '{', /^codemode-run: .*mcp\.json:1:2: not usable as JSON: /],
  [
    'neither command nor url',
    '{"mcpServers":{"a":{"comand":"x"}}}',
    /mcp\.json: MCP server "a": must have `command` or `url`$/m,
  ],
  ['no servers', '{"servers":{}}', /mcp\.json: .*mcpServers/],
] as const) {
  test(`a configuration that is wrong is a usage error that names the file: ${title}`, async (t) => {
    const file = await temporaryFile(t, 'mcp.json', text);
    const { code, stdout, stderr } = await runCli(t, ['--mcp', file, '-e', 'text(1)']);
    assert.deepEqual([code, stdout, stderr.split('\n').length], [2, '', 2], stderr);
    assert.match(stderr, message);
  });
}

test('a server in two files is a usage error', async (t) => {
  const file = await mcpFile(t, { s: 'echo' });
  const { code, stderr } = await runCli(t, ['--mcp', file, '--mcp', file, '-e', 'text(1)']);
  assert.equal(code, 2);
  assert.match(stderr, /^codemode-run: MCP server `s` is given twice/);
});
