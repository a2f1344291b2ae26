import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { type CliEvent, lastEvent, parseEvents, runCli, temporaryFile, temporaryFolder } from '../support/cli.js';
import { mcpFile } from './mcp-config.js';

// Servers that misbehave: the reason is named, in time, and nobody else suffers.

/** Long enough for a healthy server on a busy machine. */
const SHORT = ['--mcp-timeout', '2000'];

const failures: readonly (readonly [title: string, fixture: string, args: readonly string[], message: RegExp])[] = [
  ['exits at once', 'exits-at-once', [], /`initialize`: the server ended: exit status: 3 .*Error: no database$/],
  ['never answers', 'silent', SHORT, /`initialize`: no answer within 2000 ms; .*waiting for a licence server$/],
  ['never lists its tools', 'never-lists', SHORT, /`tools\/list`: no answer within 2000 ms; /],
  ['refuses', 'refuses-initialize', [], /`initialize`: .*no licence/],
  ['speaks another version', 'wrong-version', [], /1999-01-01/],
];

for (const [title, fixture, args, message] of failures) {
  test(`a server that ${title} ends the run with one line and exit code 3`, async (t) => {
    const file = await mcpFile(t, { good: 'echo', bad: fixture });
    const { code, stdout, stderr } = await runCli(t, ['--mcp', file, ...args, '-e', 'text(1)']);
    assert.deepEqual([code, stdout, stderr.split('\n').length], [3, '', 2], stderr);
    assert.match(stderr.trimEnd(), /^codemode-run: MCP server `bad`: /);
    assert.match(stderr.trimEnd(), message);
  });

  test(`with --json a server that ${title} is the last event`, async (t) => {
    const file = await mcpFile(t, { good: 'echo', bad: fixture });
    const { code, stdout, stderr } = await runCli(t, ['--json', '--mcp', file, ...args, '-e', 'text(1)']);
    const { type, code: reason, message: said, data } = lastEvent(stdout);
    assert.deepEqual([code, stderr, type, reason], [3, '', 'error', 'mcp-server-failed']);
    assert.match(String(said), message);
    assert.deepEqual(
      (data as { failures: { server: string }[] }).failures.map(({ server }) => server),
      ['bad'],
    );
    assert.deepEqual(
      of(stdout, 'failed').map(({ server }) => server),
      ['bad'],
    );
    assert.ok(!parseEvents(stdout).some((event) => event.type === 'started'));
  });

  test(`with --mcp-optional a server that ${title} is left out with a warning`, async (t) => {
    const file = await mcpFile(t, { good: 'echo', bad: fixture });
    const cell = 'text((await tools.mcp__good__echo({ n: 1 })).structuredContent); text(ALL_TOOLS.length)';
    const options = ['--mcp-optional', '--mcp', file, ...args, '-e', cell];
    const { code, stdout, stderr } = await runCli(t, options);
    assert.deepEqual([code, stdout, stderr.split('\n').length], [0, '{"n":1}\n4\n', 2], stderr);
    assert.match(stderr.trimEnd(), /^codemode-run: left out: MCP server `bad`: /);
    assert.match(stderr.trimEnd(), message);
    const json = await runCli(t, ['--json', ...options]);
    assert.deepEqual([json.code, json.stderr, lastEvent(json.stdout).type], [0, '', 'result']);
    const [failed] = of(json.stdout, 'failed');
    assert.equal(failed?.server, 'bad');
    assert.match(messageOf(failed), message);
  });
}

const of = (stdout: string, event: string): CliEvent[] =>
  parseEvents(stdout).filter((one) => one.type === 'mcp' && one.event === event);

const messageOf = (event: CliEvent | undefined): string =>
  (event?.error as { message?: string } | undefined)?.message ?? '';

test('the limit for the start holds for a server that answers nothing at all', async (t) => {
  const file = await mcpFile(t, { bad: 'silent' });
  const { code, stderr } = await runCli(t, ['--mcp', file, '--mcp-timeout', '500', '-e', 'text(1)']);
  assert.deepEqual([code, stderr.split('\n').length], [3, 2], stderr);
  assert.match(stderr, /^codemode-run: MCP server `bad`: `initialize`: no answer within 500 ms; /);
});

test('two servers that fail are both named', async (t) => {
  const missing = { command: 'no-such-program' };
  const file = await temporaryFile(t, 'mcp.json', JSON.stringify({ mcpServers: { a: missing, b: missing } }));
  const { code, stderr } = await runCli(t, ['--mcp', file, '-e', 'text(1)']);
  assert.equal(code, 3);
  assert.match(stderr, /^codemode-run: MCP server `a`: .*\nalso: MCP server `b`: .*\n$/);
});

test('a program that is not there is named once, with the place where it was looked for', async (t) => {
  const config = { mcpServers: { a: { command: 'no-such-program' } } };
  const file = await temporaryFile(t, 'mcp.json', JSON.stringify(config));
  const { code, stderr } = await runCli(t, ['--mcp', file, '-e', 'text(1)']);
  assert.deepEqual([code, stderr.split('\n').length], [3, 2], stderr);
  assert.match(stderr, /^codemode-run: MCP server `a`: cannot be started: no-such-program: .* in the server's PATH/);
});

test('an address at which nobody listens is named', async (t) => {
  const config = { mcpServers: { a: { url: 'http://127.0.0.1:9/mcp' } } };
  const file = await temporaryFile(t, 'mcp.json', JSON.stringify(config));
  const { code, stderr } = await runCli(t, ['--mcp', file, '-e', 'text(1)']);
  assert.deepEqual([code, stderr.split('\n').length], [3, 2], stderr);
  assert.match(stderr, /http:\/\/127\.0\.0\.1:9\/mcp cannot be reached: /);
});

test('a server that dies during a call rejects the call, and every later one, and spoils no other server', async (t) => {
  const file = await mcpFile(t, { good: 'echo', bad: 'dies-in-call' });
  const cell = `for (const name of ['exit', 'wait']) await tools['mcp__bad__' + name]({}).catch((reason) => text(reason));
    text((await tools.mcp__good__echo({ n: 1 })).structuredContent)`;
  const { code, stdout, stderr } = await runCli(t, ['--mcp', file, '-e', cell]);
  assert.deepEqual([code, stderr], [0, '']);
  const [first = '', second = '', third] = stdout.trimEnd().split('\n');
  assert.match(first, /^MCP server `bad`: tool `exit`: the server ended: exit status: 7 .*about to exit$/);
  assert.match(second, /^MCP server `bad`: tool `wait`: the server ended: exit status: 7 /);
  assert.equal(third, '{"n":1}');
});

test('with --json the end of a server comes with its reason, and the call that failed has the same', async (t) => {
  const file = await mcpFile(t, { bad: 'dies-in-call' });
  const { code, stdout } = await runCli(t, ['--json', '--mcp', file, '-e', 'await tools.mcp__bad__kill({})']);
  const [ended] = of(stdout, 'ended');
  assert.match(messageOf(ended), /signal: 9 \(SIGKILL\)/);
  const answer = parseEvents(stdout).find(({ type }) => type === 'tool-result');
  assert.equal(answer?.ok, false);
  const last = lastEvent(stdout);
  assert.deepEqual([code, last.type, last.status], [1, 'result', 'failed']);
  assert.equal((last.error as { message: string }).message, answer?.error);
  assert.match(String(answer?.error), /^MCP server `bad`: tool `kill`: the server ended: signal: 9 \(SIGKILL\)/);
});

const images = `const { content: blocks } = await tools.mcp__s__look({ megabytes: 20 });
  for (const block of blocks) if (block.mimeType === 'image/png') image(block);
  text(blocks.length)`;

test('twenty megabytes of images become files', async (t) => {
  const out = await temporaryFolder(t);
  const file = await mcpFile(t, { s: 'big-images' });
  const { code, stdout, stderr } = await runCli(t, ['--mcp', file, '--out-dir', out, '-e', images]);
  assert.deepEqual([code, stderr], [0, '']);
  const lines = stdout.trimEnd().split('\n');
  assert.equal(lines.pop(), '8');
  const names = (await readdir(out)).sort();
  assert.equal(names.length, 4);
  for (const [index, name] of names.entries()) {
    const bytes = await readFile(join(out, name));
    assert.equal(lines[index], `[image ${join(out, name)}: image/png, ${bytes.length} bytes]`);
    assert.deepEqual([bytes.length, bytes.subarray(-3).toString()], [3_932_160, 'ABC']);
  }
});

test('with --json the images stay in the events', async (t) => {
  const folder = await temporaryFolder(t);
  const file = await mcpFile(t, { s: 'big-images' });
  const { code, stdout } = await runCli(t, ['--json', '--mcp', file, '-e', images], { cwd: folder });
  assert.equal(code, 0);
  const items = parseEvents(stdout)
    .filter(({ type }) => type === 'content')
    .flatMap((event) => event.items as { type: string; image_url?: string }[])
    .filter(({ type }) => type === 'input_image');
  assert.deepEqual(
    items.map(({ image_url = '' }) => [image_url.slice(0, 26), image_url.length]),
    Array.from({ length: 4 }, () => ['data:image/png;base64,QUJD', 5_242_902]),
  );
  assert.deepEqual(await readdir(folder), []);
});
