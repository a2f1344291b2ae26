import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { CliRun, parseEvents, runCli, temporaryFile } from '../support/cli.js';
import { mcpFile } from './mcp-config.js';
import { echoTool } from './tool-files.js';

// Where tools come from, and what is said when that goes wrong.

test('a mistake in the command line is told at once, though a server still starts', async (t) => {
  const file = await mcpFile(t, { silent: 'silent' });
  const run = new CliRun(t, ['--mcp', file, '--mcp-timeout', '600000', '--tools', 'nofile.mjs', '-e', 'text(1)']);
  const { code, stdout, stderr } = await run.finish();
  assert.deepEqual([code, stdout], [2, '']);
  assert.match(
    stderr,
    /^codemode-run: .*nofile\.mjs: cannot be loaded: no such file \(it was looked for at \/.*nofile\.mjs\)$/m,
  );
});

test('a server that fails ends the start of the others', async (t) => {
  const file = await mcpFile(t, { silent: 'silent' });
  const dead = await temporaryFile(t, 'dead.json', JSON.stringify({ mcpServers: { dead: { command: 'false' } } }));
  const run = new CliRun(t, ['--mcp', file, '--mcp', dead, '--mcp-timeout', '600000', '-e', 'text(1)']);
  assert.equal((await run.finish()).code, 3);
});

test('a tool of ours that finds tools is not the one that is called like it', async (t) => {
  const mine = await temporaryFile(
    t,
    'mine.tools.mjs',
    'export const tools = { tool_search: { description: "Mine.", inputSchema: {}, handler: () => "mine" } };',
  );
  const names = 'text(ALL_TOOLS.map(({ name }) => name))';
  const args = ['--tools', echoTool, '--tools', mine];
  const allowed = await runCli(t, [...args, '--allow-tool', 'echo', '-e', names]);
  assert.deepEqual([allowed.code, allowed.stdout], [0, '["echo"]\n']);
  const all = await runCli(t, [...args, '-e', 'text(await tools.tool_search({}))']);
  assert.equal(all.stdout, 'mine\n');
});

test('a tool whose schema cannot be used is called, and a warning says so once', async (t) => {
  const file = await temporaryFile(
    t,
    'odd.tools.mjs',
    `export const tools = {
      odd: { description: 'd', inputSchema: { properties: { x: { $ref: '#/nope' } } }, handler: () => 'called' },
    };`,
  );
  const args = ['--json', '--tools', file, '-e', 'await tools.odd({ x: 1 }); text(await tools.odd({ x: 1 }))'];
  const { code, stdout } = await runCli(t, args);
  assert.equal(code, 0);
  const warnings = parseEvents(stdout).filter(({ type }) => type === 'warning');
  assert.equal(warnings.length, 1);
  assert.match(String(warnings[0]?.message), /^tool `odd`: its inputs are not checked/);
});

test('a tool with a schema of 3,000 levels does not end the run', async (t) => {
  const file = await temporaryFile(
    t,
    'deep.tools.mjs',
    `let inputSchema = {};
    for (let level = 0; level < 3_000; level += 1) inputSchema = { properties: { p: inputSchema } };
    export const tools = { deep: { description: 'd', inputSchema, handler: () => 'called' } };`,
  );
  const { code, stdout, stderr } = await runCli(t, ['--tools', file, '-e', 'text(await tools.deep({}))']);
  assert.deepEqual([code, stdout], [0, 'called\n']);
  assert.match(stderr, /warning: tool `deep`: its inputSchema is left out of what the host is told/);
});

test('a plain run loads nothing of an exec-server, of MCP and of types', async (t) => {
  const hook = await temporaryFile(
    t,
    'hook.cjs',
    `const Module = require('node:module');
    const { basename } = require('node:path');
    const { writeFileSync } = require('node:fs');
    const load = Module._load;
    const seen = new Set();
    Module._load = function (request, ...rest) {
      seen.add(basename(request));
      return load.call(this, request, ...rest);
    };
    process.on('exit', () => writeFileSync(process.env.SEEN, [...seen].join('\\n')));`,
  );
  const seen = join(hook, '..', 'seen.txt');
  const loaded = async (...args: string[]): Promise<string[]> => {
    const { code } = await runCli(t, args, { env: { NODE_OPTIONS: `--require ${hook}`, SEEN: seen } });
    assert.equal(code, 0);
    return (await readFile(seen, 'utf8')).split('\n').filter((name) => name.endsWith('.cjs'));
  };
  const apart = ['exec-server.cjs', 'mcp.cjs', 'strip.cjs', 'help.cjs'];
  const plain = await loaded('-e', 'text(1)');
  assert.ok(plain.includes('cli.cjs'), plain.join());
  assert.deepEqual(
    plain.filter((name) => apart.includes(name)),
    [],
  );
  assert.ok((await loaded('--exec', '-e', 'text(1)')).includes('exec-server.cjs'));
});
