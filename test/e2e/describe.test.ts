import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { root, runCli, temporaryFile, temporaryFolder } from '../support/cli.js';
import { mcpFile } from './mcp-config.js';
import { echoTool, moreTools } from './tool-files.js';

// What a harness is given to show to its model.

const manyTools = `const text = 'Does one thing of many with great care, and says — in so many words — what it has done. ';
export const tools = Object.fromEntries(Array.from({ length: 500 }, (_, index) => ['tool_' + index, {
  description: text.repeat(1 + (index % 7)),
  inputSchema: {
    type: 'object',
    properties: { id: { type: 'string', description: 'Which one: ☕' }, count: { type: 'integer' } },
    required: ['id'],
  },
  handler: () => index,
}]));`;

interface Described {
  readonly tools: readonly { readonly name: string; readonly description: string }[];
  readonly cellTools: readonly { readonly name: string; readonly property: string; readonly kind: string }[];
  readonly shown: number;
  readonly omitted: number;
  readonly tokens: number;
}

test('the text has both tools of the contract, and the declaration of every tool that cells can call', async (t) => {
  const file = await mcpFile(t, { s: 'echo' });
  const { code, stdout, stderr } = await runCli(t, ['describe', '--tools', moreTools, '--mcp', file]);
  assert.deepEqual([code, stderr], [0, '']);
  assert.match(stdout, /^# exec\n\n/);
  assert.match(stdout, /^# wait\n\n/m);
  for (const name of ['mcp__s__echo', 'fail', 'say_hello', 'shout', 'tool_search'])
    assert.match(stdout, new RegExp(`^declare const tools: \\{ ${name}\\(`, 'm'));
});

test('without tools it describes the bare contract', async (t) => {
  const { code, stdout, stderr } = await runCli(t, ['describe']);
  assert.deepEqual([code, stderr], [0, '']);
  assert.doesNotMatch(stdout, /tool_search|declare const tools/);
});

test('as data it has the same texts, the names in cells, and what was counted', async (t) => {
  const args = ['describe', '--tools', echoTool, '--tools', moreTools];
  const [text, json] = await Promise.all([runCli(t, args), runCli(t, [...args, '--format', 'json'])]);
  const { tools, cellTools, shown, omitted } = JSON.parse(json.stdout) as Described;
  assert.deepEqual(
    tools.map(({ name }) => name),
    ['exec', 'wait'],
  );
  for (const { description } of tools) assert.ok(text.stdout.includes(description.trimEnd()));
  assert.ok(cellTools.some(({ name, property, kind }) => name === 'say-hello' && property === 'say_hello' && kind));
  assert.equal(cellTools.find(({ name }) => name === 'shout')?.kind, 'freeform');
  assert.deepEqual([shown, omitted], [cellTools.length, 0]);
});

for (const budget of [4_000, 2_000]) {
  test(`five hundred tools fit into ${budget} tokens, and what is left out is counted`, async (t) => {
    const many = await temporaryFile(t, 'many.tools.mjs', manyTools);
    const args = ['describe', '--tools', many, '--max-tokens', String(budget)];
    const [text, json] = await Promise.all([runCli(t, args), runCli(t, [...args, '--format', 'json'])]);
    assert.deepEqual([text.code, text.stderr, json.code], [0, '', 0]);
    const { tools, shown, omitted, tokens } = JSON.parse(json.stdout) as Described;
    const bytes = tools.reduce((sum, { description }) => sum + Buffer.byteLength(description), 0);
    assert.ok(bytes / 4 <= budget, `${bytes} bytes`);
    assert.ok(Math.abs(tokens - bytes / 4) <= 2, `${tokens} tokens, ${bytes} bytes`);
    // The two headings are the command's own.
    assert.ok(Buffer.byteLength(text.stdout) <= budget * 4 + 32, `${Buffer.byteLength(text.stdout)} bytes`);
    assert.equal(shown + omitted, 501);
    assert.match(text.stdout, /tool_search/);
  });
}

test('a budget that is too small for the contract itself is a usage error that says what it takes', async (t) => {
  const { code, stdout, stderr } = await runCli(t, ['describe', '--tools', echoTool, '--max-tokens', '10']);
  assert.deepEqual([code, stdout, stderr.split('\n').length], [2, '', 2], stderr);
  assert.match(
    stderr,
    /^codemode-run: --max-tokens 10 is too small: the description takes \d+ tokens without any tool$/m,
  );
});

test('the declarations compile, and a program that uses them', async (t) => {
  const file = await mcpFile(t, { s: 'echo', odd: 'listed-twice' });
  const { code, stdout } = await runCli(t, ['describe', '--format', 'dts', '--tools', moreTools, '--mcp', file]);
  assert.equal(code, 0);
  const folder = await temporaryFolder(t);
  await writeFile(join(folder, 'cell.d.ts'), stdout);
  const use = `const { content, isError } = await tools.mcp__s__echo({ a: 1 });
    text(content[0]?.type); const shouted: string = String(await tools.shout('a'));
    const found = (await tools.tool_search({ query: 'x' })).results[0]?.name; export { found, isError, shouted };`;
  await writeFile(join(folder, 'use.ts'), use);
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const options = ['--strict', '--noEmit', '--target', 'esnext', '--lib', 'esnext', '--module', 'esnext'];
  const args = [compiler, ...options, '--types', '', 'cell.d.ts', 'use.ts'];
  const { status, stdout: said } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
  assert.deepEqual([status, said], [0, '']);
});

test('tools that are not allowed are not described', async (t) => {
  const args = ['describe', '--tools', echoTool, '--tools', moreTools, '--deny-tool', 'say*', '--format', 'json'];
  const { stdout } = await runCli(t, args);
  const { cellTools, tools } = JSON.parse(stdout) as Described;
  assert.ok(!cellTools.some(({ name }) => name === 'say-hello'));
  assert.doesNotMatch(tools[0]?.description ?? '', /say_hello/);
});

test('a server that does not start is exit code 3, with --mcp-optional a warning', async (t) => {
  const file = await mcpFile(t, { bad: 'exits-at-once', good: 'echo' });
  const failed = await runCli(t, ['describe', '--mcp', file]);
  assert.deepEqual([failed.code, failed.stdout, failed.stderr.split('\n').length], [3, '', 2], failed.stderr);
  assert.match(failed.stderr, /^codemode-run: MCP server `bad`: /);
  const { code, stdout, stderr } = await runCli(t, ['describe', '--mcp', file, '--mcp-optional']);
  assert.equal(code, 0);
  assert.match(stderr, /^codemode-run: left out: MCP server `bad`: .*\n$/);
  assert.match(stdout, /mcp__good__echo/);
});

test('a command that is misspelt is no cell', async (t) => {
  const { code, stderr } = await runCli(t, ['descibe', '--tools', echoTool]);
  assert.equal(code, 2);
  assert.match(
    stderr,
    /^codemode-run: cannot read cell descibe: no such file .*; did you mean codemode-run describe\?\n$/,
  );
});

for (const [title, args, message] of [
  ['a cell', ['cell.js'], /describe takes no cells, got "cell\.js"/],
  ['-e', ['-e', 'text(1)'], /-e is an option of codemode-run run, codemode-run check, not of this command/],
  ['another format', ['--format', 'yaml'], /--format must be text, json or dts, got "yaml"/],
  ['an option of run', ['--preflight', 'fix'], /--preflight is an option of codemode-run run, not of this command/],
] as const) {
  test(`${title} is a usage error`, async (t) => {
    const { code, stdout, stderr } = await runCli(t, ['describe', ...args]);
    assert.deepEqual([code, stdout], [2, '']);
    assert.match(stderr, message);
    assert.match(stderr, /^Try codemode-run --help\.$/m);
  });
}
