import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseEvents, runCli, temporaryFile } from '../support/cli.js';
import { mcpFile, serverFile } from './mcp-config.js';

// What others have written must not command the terminal of whoever reads it. What cells put out is data, and stays.

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROLS = /[\0-\x08\x0b-\x1f\x7f-\x9f]/;
const hostile = `
const clear = '\\x1b[2J\\x07\\x9b2J';
console.error('on stderr' + clear);
console.log('stray' + clear);
const inputSchema = { type: 'object', properties: { x: { type: 'string', description: 'an x' + clear } } };
serve([], {
  'tools/list': () => ({ tools: [{ name: 'work' + clear, description: 'Works.' + clear, inputSchema }] }),
  'tools/call': ({ _meta }) => {
    send({ method: 'notifications/message', params: { level: 'info' + clear, logger: clear, data: 'logged' + clear } });
    const { progressToken } = _meta;
    send({ method: 'notifications/progress', params: { progressToken, progress: 1, message: 'on' + clear } });
    return text('answer' + clear);
  },
});`;
const use = 'const [{ name }] = ALL_TOOLS; await tools[name]({});';

test('no control character of a server reaches stderr', async (t) => {
  const file = await mcpFile(t, { s: await serverFile(t, hostile) });
  const { code, stdout, stderr } = await runCli(t, [
    '--verbose',
    '--mcp',
    file,
    '-e',
    `${use} await tools[name]({ x: 1 })`,
  ]);
  assert.deepEqual([code, stdout], [1, '']);
  assert.doesNotMatch(stderr, CONTROLS);
  const shown = String.raw`\u001b[2J\u0007\u009b2J`;
  for (const words of ['[mcp s] on stderr', ': logged', '1: on']) assert.ok(stderr.includes(words + shown), stderr);
  assert.match(stderr, /^\[eval\]: tool `mcp__s__work\\u001b\[2J.*`x` must be a string/m);
});

test('no control character of a description is printed', async (t) => {
  const file = await mcpFile(t, { s: await serverFile(t, hostile) });
  for (const format of ['text', 'json', 'dts']) {
    const { code, stdout, stderr } = await runCli(t, ['describe', '--format', format, '--mcp', file]);
    assert.deepEqual([code, stderr], [0, '']);
    assert.doesNotMatch(stdout, CONTROLS, format);
    assert.match(stdout, /Works\./, format);
    if (format === 'json') JSON.parse(stdout);
  }
});

test('no control character of an error or a notification reaches stderr, and the caret stands where it should', async (t) => {
  const cell = await temporaryFile(
    t,
    'cell.js',
    'notify("\\x1b]0;title\\x07");\n"\x1b[2J"; throw new Error("a\\x1b[2Jb\\rc\\r\\nd")\n',
  );
  const { code, stdout, stderr } = await runCli(t, ['--preflight', 'off', cell]);
  assert.deepEqual([code, stdout], [1, '']);
  assert.doesNotMatch(stderr, CONTROLS);
  const [notification, place, line = '', caret = '', ...error] = stderr.split('\n');
  assert.equal(notification, String.raw`[notification] \u001b]0;title\u0007`);
  assert.equal(place, `${cell}:2:15`);
  assert.equal(caret.length - 1, line.indexOf('new Error'));
  assert.deepEqual(error.slice(0, 2), [String.raw`  Error: a\u001b[2Jb\u000dc`, '  d']);
});

test('what a cell puts out stays as it is', async (t) => {
  const file = await mcpFile(t, { s: await serverFile(t, hostile) });
  const cell = 'const [{ name }] = ALL_TOOLS; content((await tools[name]({})).content); text("\\x1b[1mbold\\x07")';
  const { code, stdout, stderr } = await runCli(t, ['--mcp', file, '-e', cell]);
  assert.deepEqual([code, stdout, stderr], [0, 'answer\x1b[2J\x07\x9b2J\n\x1b[1mbold\x07\n', '']);
});

test('with --json nothing is lost', async (t) => {
  const file = await mcpFile(t, { s: await serverFile(t, hostile) });
  const { stdout } = await runCli(t, ['--json', '--mcp', file, '-e', `${use} notify("\\x1b[1m")`]);
  const events = parseEvents(stdout);
  assert.equal(events.find(({ type }) => type === 'notification')?.text, '\x1b[1m');
  assert.equal(events.find(({ event }) => event === 'log')?.data, 'logged\x1b[2J\x07\x9b2J');
});
