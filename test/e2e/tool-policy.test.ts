import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lastEvent, parseEvents, runCli, temporaryFile } from '../support/cli.js';
import { mcpFile } from './mcp-config.js';
import { echoTool, moreTools } from './tool-files.js';

// Which tools cells can call, and how often.

const names = 'text(ALL_TOOLS.map(({ name }) => name).sort().join(" "))';
const both = ['--tools', echoTool, '--tools', moreTools];

for (const [title, args, offered] of [
  ['an allow list', ['--allow-tool', 'echo', '--allow-tool', 'sh*'], 'echo shout tool_search'],
  ['a deny list', ['--deny-tool', '{big,fail,say*}'], 'echo shout tool_search'],
  ['both, where deny wins', ['--allow-tool', '*', '--deny-tool', '*a*'], 'big echo shout'],
  ['a name as it is', ['--allow-tool', 'say-hello'], 'say-hello tool_search'],
  ['a name as cells write it', ['--allow-tool', 'say_hello'], 'say-hello tool_search'],
] as const) {
  test(`${title} chooses what is offered`, async (t) => {
    const { code, stdout, stderr } = await runCli(t, [...both, ...args, '-e', names]);
    assert.deepEqual([code, stderr], [0, '']);
    assert.deepEqual(stdout.trimEnd().replace('say_hello', 'say-hello').split(' '), offered.split(' '));
  });
}

test('globs mean tools of servers by both of their names', async (t) => {
  const file = await mcpFile(t, { 'my-server': 'echo' });
  const cell = `text(ALL_TOOLS.map(({ name }) => name).filter((name) => name.startsWith('mcp__')).join(' '))`;
  for (const glob of ['mcp__my-server__e*', 'mcp__my_server__e*']) {
    const { code, stdout, stderr } = await runCli(t, ['--mcp', file, '--deny-tool', glob, '-e', cell]);
    assert.deepEqual([code, stdout, stderr], [0, 'mcp__my_server__ask\n', ''], glob);
  }
});

test('a tool that is denied is not there, and its call is no call', async (t) => {
  const cell = `text(typeof tools.fail); text('fail' in tools);
    try { await tools.fail({}) } catch (error) { text(error instanceof TypeError) }`;
  const { code, stdout } = await runCli(t, ['--json', ...both, '--deny-tool', 'fail', '-e', cell]);
  assert.equal(code, 0);
  const events = parseEvents(stdout);
  assert.ok(!events.some(({ type }) => type === 'tool-call'));
  const items = events.filter(({ type }) => type === 'content').flatMap((event) => event.items as { text: string }[]);
  assert.deepEqual(
    items.map(({ text }) => text),
    ['undefined', 'false', 'true'],
  );
});

test('a tool that is denied is not found either', async (t) => {
  const cell = 'text((await tools.tool_search({ query: "hello" })).results.map(({ name }) => name))';
  const allowed = await runCli(t, [...both, '-e', cell]);
  assert.match(allowed.stdout, /say_hello/);
  const denied = await runCli(t, [...both, '--deny-tool', 'say*', '-e', cell]);
  assert.equal(denied.code, 0);
  assert.doesNotMatch(denied.stdout, /say_hello/);
});

test('a glob that means no tool is a warning, and stops nothing', async (t) => {
  const args = [...both, '--deny-tool', 'fial', '--deny-tool', 'fail', '--allow-tool', 'ech*', '--allow-tool', 'nix*'];
  const { code, stdout, stderr } = await runCli(t, [...args, '-e', 'text(1)']);
  assert.deepEqual([code, stdout], [0, '1\n']);
  assert.deepEqual(stderr.trimEnd().split('\n'), [
    'codemode-run: warning: --allow-tool nix* matches no tool',
    'codemode-run: warning: --deny-tool fial matches no tool',
  ]);
});

test('with --json the warning is an event', async (t) => {
  const { code, stdout, stderr } = await runCli(t, [
    '--json',
    '--tools',
    echoTool,
    '--deny-tool',
    'x*',
    '-e',
    'text(1)',
  ]);
  assert.deepEqual([code, stderr], [0, '']);
  const warnings = parseEvents(stdout).filter(({ type }) => type === 'warning');
  assert.deepEqual(warnings, [{ type: 'warning', message: '--deny-tool x* matches no tool' }]);
  assert.equal(lastEvent(stdout).type, 'result');
});

test('describe and check warn as well', async (t) => {
  const deny = ['--tools', echoTool, '--deny-tool', 'x*'];
  const warning = 'codemode-run: warning: --deny-tool x* matches no tool\n';
  const described = await runCli(t, ['describe', ...deny]);
  assert.deepEqual([described.code, described.stderr], [0, warning]);
  const checked = await runCli(t, ['check', ...deny, '-e', 'text(1)']);
  assert.deepEqual([checked.code, checked.stdout, checked.stderr], [0, '', warning]);
});

test('the calls of each cell are limited, also those that fail, and each cell starts anew', async (t) => {
  const cell = `await tools.echo({}); await tools.fail({}).catch(() => {});
    await tools.echo({}).then(() => text('a third'), (reason) => text(reason))`;
  const { code, stdout, stderr } = await runCli(t, [...both, '--max-calls', '2', '-e', cell, '-e', cell]);
  assert.deepEqual([code, stderr], [0, '']);
  const lines = stdout.trimEnd().split('\n');
  assert.equal(lines.length, 2);
  for (const line of lines) assert.match(line, /^tool `echo` is not called: this cell has made 2 tool calls/);
});

test('no more calls are served at once than allowed, and all are answered', async (t) => {
  const file = await temporaryFile(
    t,
    'count.tools.mjs',
    `let now = 0, most = 0;
    const inputSchema = {};
    export const tools = {
      work: { description: 'Works.', inputSchema, handler: async () => {
        most = Math.max(most, ++now);
        for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
        now -= 1;
        return 1;
      } },
      most: { description: 'The most at once.', inputSchema, handler: () => most },
    };`,
  );
  const cell = `const all = await Promise.all(Array.from({ length: 40 }, () => tools.work({})));
    text([all.length, await tools.most({})])`;
  for (const limit of [1, 3]) {
    const { code, stdout } = await runCli(t, ['--tools', file, '--max-calls-in-flight', String(limit), '-e', cell]);
    assert.deepEqual([code, stdout], [0, `[40,${limit}]\n`]);
  }
});

for (const [args, message] of [
  [['--max-calls', '0'], /--max-calls must be a whole number from 1 to \d+, got "0"/],
  [['--max-calls-in-flight', '0'], /--max-calls-in-flight must be a whole number from 1 to \d+, got "0"/],
  [['--allow-tool', ''], /--allow-tool must not be empty/],
  [['--deny-tool='], /--deny-tool must not be empty/],
  [['--mcp-timeout', '0'], /--mcp-timeout must be a whole number from 1 to \d+, got "0"/],
] as const) {
  test(`${args.join(' ').trim()} is a usage error`, async (t) => {
    const { code, stdout, stderr } = await runCli(t, [...args, '-e', 'text(1)']);
    assert.deepEqual([code, stdout], [2, '']);
    assert.match(stderr, message);
  });
}
