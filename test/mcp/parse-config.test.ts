import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { CodemodeError } from '../../src/errors.js';
import { loadMcpConfig, parseMcpConfig } from '../../src/mcp/index.js';

const environment = { TOKEN: 'secret', EMPTY: '', PLACE: '/place' };
const parse = (servers: unknown) => parseText(JSON.stringify({ mcpServers: servers }));
const parseText = (text: string) => parseMcpConfig(text, { file: 'mcp.json', folder: '/project', environment });
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

function refusal(read: () => unknown): CodemodeError {
  try {
    read();
  } catch (error) {
    assert.ok(error instanceof CodemodeError);
    assert.equal(error.code, 'invalid-argument');
    assert.doesNotMatch(error.message, /\n/);
    return error;
  }
  return assert.fail('accepted');
}

test('a server with a command is started, one with a url is reached', () => {
  const found = parse({
    files: { command: 'node', args: ['a b', ''], env: { A: '1' }, cwd: 'sub' },
    plain: { command: './x', type: 'stdio' },
    web: { type: 'streamable-http', url: 'http://localhost:1/mcp', headers: { Authorization: 'Bearer x' } },
    also: { url: 'https://example.org/' },
  });
  assert.deepEqual(plain(found), [
    { name: 'files', kind: 'stdio', command: 'node', args: ['a b', ''], env: { A: '1' }, cwd: '/project/sub' },
    { name: 'plain', kind: 'stdio', command: './x', args: [], env: {} },
    { name: 'web', kind: 'http', url: 'http://localhost:1/mcp', headers: { Authorization: 'Bearer x' } },
    { name: 'also', kind: 'http', url: 'https://example.org/', headers: {} },
  ]);
});

test('a disabled server is left out whatever else it says, and fields of other programs are ignored', () => {
  const found = parse({
    off: { disabled: true, type: 'sse' },
    on: { disabled: false, command: 'x', autoApprove: ['*'], alwaysAllow: [], timeout: 60, description: 'x' },
  });
  assert.deepEqual(
    found.map(({ name }) => name),
    ['on'],
  );
});

test('a default in which there is a variable is refused, whether it is needed or not', () => {
  for (const name of ['NONE', 'TOKEN']) {
    const { message } = refusal(() => parse({ x: { command: 'x', args: [`$\{${name}:-$\{OTHER}}`] } }));
    assert.equal(
      message,
      `mcp.json: MCP server "x": args[0] \`$\{${name}:-…}\` has a \`$\{\` in its default: ` +
        'a default is plain text, in which nothing is replaced',
    );
  }
});

test('a configuration may hold long texts, and long stretches of anything', () => {
  const long = 'x\\'.repeat(5 * 2 ** 20);
  const [server] = parse({ x: { command: 'x', args: [long] } });
  assert.ok(server?.kind === 'stdio' && server.args[0] === long);
  for (const text of [' '.repeat(10 * 2 ** 20), '1'.repeat(10 * 2 ** 20), `"${'\\"'.repeat(5 * 2 ** 20)}`]) {
    assert.match(refusal(() => parseText(text)).message, /^mcp\.json:/);
  }
});

test('variables are replaced in every value, with a default where there is one', () => {
  const expanded = {
    command: '$' + '{PLACE}/bin',
    args: [
      '$' + '{NONE:-a:b}',
      '$' + '{EMPTY:-full}',
      '[$' + '{EMPTY}]',
      '$TOKEN $$ $' + '{input:x}',
      '$' + '{NONE:-}',
    ],
    env: { SECRET: 'x$' + '{TOKEN}y$' + '{TOKEN}' },
    cwd: '$' + '{PLACE}',
  };
  const web = { url: 'http://$' + '{HOST:-localhost}/$' + '{TOKEN}', headers: { A: '$' + '{TOKEN}' } };
  assert.deepEqual(plain(parse({ expanded, web })), [
    {
      name: 'expanded',
      kind: 'stdio',
      command: '/place/bin',
      args: ['a:b', 'full', '[]', '$TOKEN $$ $' + '{input:x}', ''],
      env: { SECRET: 'xsecretysecret' },
      cwd: '/place',
    },
    { name: 'web', kind: 'http', url: 'http://localhost/secret', headers: { A: 'secret' } },
  ]);
});

test('a variable that is not set is named, with the field that wants it', () => {
  const error = refusal(() => parse({ x: { command: 'y', env: { A: '$' + '{MISSING}' } } }));
  assert.equal(
    error.message,
    'mcp.json: MCP server "x": env.A `MISSING` is not set: set it, or give a default, `$' + '{MISSING:-…}`',
  );
  assert.deepEqual(error.data, { file: 'mcp.json', server: 'x', field: 'env.A' });
  for (const name of ['toString', '__proto__']) {
    assert.match(refusal(() => parse({ x: { command: `$\{${name}}` } })).message, /is not set/);
  }
});

const wrong: readonly (readonly [what: string, entry: unknown, field: string | null, message: RegExp])[] = [
  ['no object', 'npx', null, /must be an object with `command` or `url`$/],
  ['neither command nor url', {}, null, /must have `command` or `url`$/],
  ['both', { command: 'a', url: 'http://b' }, 'url', /url excludes `command`/],
  ['an sse server', { type: 'sse', url: 'http://b' }, 'type', /"sse" is not supported: use the streamable HTTP/],
  ['another type', { type: 'ws', url: 'http://b' }, 'type', /must be "http" or "streamable-http" .*, got "ws"$/],
  ['a type that does not fit', { type: 'http', command: 'a' }, 'type', /must be "stdio" beside `command`, got "http"$/],
  ['a command that is none', { command: ['a'] }, 'command', /command must be a string, got an array$/],
  ['an empty command', { command: ' ' }, 'command', /command must not be empty$/],
  ['args that are none', { command: 'a', args: 'b' }, 'args', /args must be an array of strings, got a string$/],
  ['an arg that is none', { command: 'a', args: ['b', 1] }, 'args[1]', /args\[1\] must be a string, got a number$/],
  ['env that is none', { command: 'a', env: [] }, 'env', /env must be an object of strings, got an array$/],
  ['a variable that is none', { command: 'a', env: { B: 1 } }, 'env.B', /env\.B must be a string, got a number$/],
  ['an impossible variable', { command: 'a', env: { 'B=': '1' } }, 'env', /env "B=" is not usable as the name/],
  ['cwd that is none', { command: 'a', cwd: 1 }, 'cwd', /cwd must be a string, got a number$/],
  ['url that is none', { url: 'localhost:80' }, 'url', /must be an address that begins with http/],
  ['url with a password', { url: 'http://a:b@c' }, 'url', /must not hold a user name or a password/],
  [
    'a header that is none',
    { url: 'http://b', headers: { 'a b': 'c' } },
    'headers.a b',
    /is not usable as an HTTP header/,
  ],
  [
    'a header of two lines',
    { url: 'http://b', headers: { A: 'b\nc' } },
    'headers.A',
    /is not usable as an HTTP header$/,
  ],
];

for (const [what, entry, field, message] of wrong) {
  test(`refused, with file, server and field: ${what}`, () => {
    const error = refusal(() => parse({ good: { command: 'x' }, bad: entry }));
    assert.match(error.message, /^mcp\.json: MCP server "bad": /);
    assert.match(error.message, message);
    assert.deepEqual(error.data, { file: 'mcp.json', server: 'bad', field });
  });
}

test('a server without a name is refused', () => {
  assert.match(refusal(() => parse({ ' ': { command: 'x' } })).message, /the name must not be empty$/);
});

const notJson: readonly (readonly [text: string, message: string])[] = [
  [
    '{\n  "mcpServers": {\n    "a": {"command": "x",}\n  }\n}',
    '3:26: not usable as JSON: expected a key in double quotes, got "}"',
  ],
  ['{"mcpServers": {}', '1:18: not usable as JSON: expected `,` or `}`, got the end of the text'],
  ['', '1:1: not usable as JSON: expected a value, got the end of the text'],
  ['{// mine\n}', '1:2: not usable as JSON: JSON has no comments'],
  ['{"a": 01}', '1:7: not usable as JSON: expected a value, got "0"'],
  ['{"a": "\\x"}', '1:7: not usable as JSON: the string has an escape or a control character that JSON does not allow'],
  ['[] []', '1:4: not usable as JSON: expected the end of the text, got "["'],
  ['{"mcpServers": {"a": {}, "a": {}}}', '1:26: not usable as JSON: the key "a" occurs twice'],
  [`${'['.repeat(300)}`, '1:202: not usable as JSON: it is nested too deeply'],
];

for (const [text, message] of notJson) {
  test(`what is no JSON is refused with its place: ${JSON.stringify(text.slice(0, 40))}`, () => {
    assert.equal(refusal(() => parseText(text)).message, `mcp.json:${message}`);
  });
}

test('what JSON.parse takes is taken', () => {
  const text =
    '\ufeff {"mcpServers" : {"a":{"command":"x","n":[-0.5e+3,1E2,true,false,null,[],{}],"s":"\\u00e9\\n\\"é"}}}\n';
  assert.equal(parseText(text).length, 1);
});

test('a file without servers is refused with what it has', () => {
  assert.match(
    refusal(() => parseText('{"servers": {}, "inputs": []}')).message,
    /`mcpServers`, .*, got only servers, inputs$/,
  );
  assert.match(refusal(() => parseText('{"mcpServers": []}')).message, /got an array$/);
  assert.match(refusal(() => parseText('3')).message, /got nothing$/);
});

test('variables are looked up in the environment of this process where none was given', async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'codemode-mcp-'));
  context.after(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'mcp.json');
  await writeFile(file, `{"mcpServers": {"a": {"command": "\${CODEMODE_TEST_TOKEN}"}}}`);
  await assert.rejects(loadMcpConfig(file), /`CODEMODE_TEST_TOKEN` is not set/);
  process.env.CODEMODE_TEST_TOKEN = 'ours';
  context.after(() => delete process.env.CODEMODE_TEST_TOKEN);
  for (const options of [undefined, {}, { environment: undefined }]) {
    const [server] = await loadMcpConfig(file, options);
    assert.equal(server?.kind === 'stdio' && server.command, 'ours');
  }
  const [server] = await loadMcpConfig(file, { environment: { CODEMODE_TEST_TOKEN: 'other' } });
  assert.equal(server?.kind === 'stdio' && server.command, 'other');
});

test('a file is read, and its folder is where a cwd begins', async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'codemode-mcp-'));
  context.after(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, 'mcp.json'), '{"mcpServers": {"a": {"command": "x", "cwd": "."}}}');
  const [server] = await loadMcpConfig('mcp.json', { cwd: folder, environment });
  assert.equal(server?.kind === 'stdio' && server.cwd, folder);
  await assert.rejects(loadMcpConfig('none.json', { cwd: folder, environment }), {
    code: 'invalid-argument',
    message: `none.json: cannot be read: no such file (it was looked for at ${join(folder, 'none.json')})`,
  });
  await assert.rejects(loadMcpConfig('.', { cwd: folder, environment }), {
    message: '.: cannot be read: is a directory',
  });
});
