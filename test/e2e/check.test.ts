import assert from 'node:assert/strict';
import { cp, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { lastEvent, parseEvents, root, runCli, temporaryFolder } from '../support/cli.js';
import { shellWord } from '../support/shell-word.js';
import { mcpFile } from './mcp-config.js';
import { moreTools } from './tool-files.js';

// Types of cells, checked by the TypeScript of the project that the command is used in.

const compiler = ['--compiler', join(root, 'node_modules/typescript/bin/tsc')];

const cells = {
  'good.ts': 'const n: number = 1;\ntext(n);\n',
  'bad.ts': "const n: number = 1;\nconst word: number =\n  'one';\ntext(n.length, word);\n",
  'mcp.ts':
    'const { content } = await tools.mcp__s__echo({ a: 1 });\nfor (const block of content) text(block.txt);\nawait tools.mcp__s__ecko({});\n',
  'enum.ts': 'text(1);\nenum Color { Red }\n',
  'plain.js': 'const f = (x) => x.y;\ntext(f({ y: 1 }));\n',
};

async function folderOfCells(t: Parameters<typeof temporaryFolder>[0]): Promise<string> {
  const folder = await temporaryFolder(t);
  for (const [name, text] of Object.entries(cells)) await writeFile(join(folder, name), text);
  return folder;
}

test('sound cells are exit code 0 and not a word', async (t) => {
  const cwd = await folderOfCells(t);
  const { code, stdout, stderr } = await runCli(t, ['check', ...compiler, 'good.ts', 'plain.js'], { cwd });
  assert.deepEqual([code, stdout, stderr], [0, '', '']);
});

test('an error is a line with its place, and exit code 1', async (t) => {
  const cwd = await folderOfCells(t);
  const { code, stdout, stderr } = await runCli(t, ['check', ...compiler, 'good.ts', 'bad.ts'], { cwd });
  assert.deepEqual([code, stderr], [1, '']);
  const lines = stdout.trimEnd().split('\n');
  assert.equal(lines.length, 3, stdout);
  assert.match(lines[0] ?? '', /^bad\.ts:2:7 Type 'string' is not assignable to type 'number'\. \(TS2322\)$/);
  for (const line of lines.slice(1)) assert.match(line, /^bad\.ts:4:\d+ .+ \(TS\d+\)$/);
});

test('several cells are checked each on its own, also those of -e and standard input', async (t) => {
  const cwd = await folderOfCells(t);
  const args = ['check', ...compiler, '-e', 'const n: string = 1; text(n)', '-', 'good.ts'];
  const { code, stdout } = await runCli(t, args, { cwd, stdin: 'const n: boolean = 2; text(n)' });
  assert.equal(code, 1);
  assert.deepEqual(
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split(' ')[0]),
    ['[eval]:1:7', '[stdin]:1:7'],
  );
});

test('with --json every error is an event, and the last one is the result', async (t) => {
  const cwd = await folderOfCells(t);
  const { code, stdout, stderr } = await runCli(t, ['check', '--json', ...compiler, 'bad.ts'], { cwd });
  assert.deepEqual([code, stderr], [1, '']);
  const [first, ...rest] = parseEvents(stdout);
  const message = "Type 'string' is not assignable to type 'number'.";
  assert.deepEqual(first, { type: 'diagnostic', file: 'bad.ts', line: 2, column: 7, code: 'TS2322', message });
  assert.deepEqual(rest.at(-1), { type: 'result', status: 'failed', diagnostics: 3 });
  const sound = await runCli(t, ['check', '--json', ...compiler, 'good.ts'], { cwd });
  assert.deepEqual(parseEvents(sound.stdout), [{ type: 'result', status: 'completed', diagnostics: 0 }]);
});

test('cells are checked against the declarations of modules and servers, and nothing is called', async (t) => {
  const cwd = await folderOfCells(t);
  const file = await mcpFile(t, { s: 'echo' });
  const args = ['check', ...compiler, '--mcp', file, '--tools', moreTools];
  const { code, stdout } = await runCli(t, [...args, 'mcp.ts', '-e', 'await tools.shout(1); await tools.fail({})'], {
    cwd,
  });
  assert.equal(code, 1);
  const lines = stdout.trimEnd().split('\n');
  assert.match(lines[0] ?? '', /^mcp\.ts:2:41 Property 'txt' does not exist/);
  assert.match(lines[1] ?? '', /^mcp\.ts:3:13 Property 'mcp__s__ecko' does not exist/);
  assert.match(lines[2] ?? '', /^\[eval\]:1:19 .*'number' is not assignable to .*'string'/);
  assert.equal(lines.length, 3, stdout);
});

test('every example is sound, with the tools that it is for', async (t) => {
  const cwd = join(root, 'examples');
  const sources: { readonly [cell: string]: readonly string[] } = {
    'licenses.js': ['--tools', 'files.tools.js'],
    'settled.js': ['--tools', 'slow.tools.js'],
    'mcp-report.js': ['--mcp', 'mcp.json'],
  };
  const names = (await readdir(cwd)).filter((name) => /\.[jt]s$/.test(name) && !name.includes('.tools.'));
  assert.deepEqual(
    Object.keys(sources).filter((name) => !names.includes(name)),
    [],
  );
  const alone = names.filter((name) => sources[name] === undefined);
  for (const args of [alone, ...Object.entries(sources).map(([name, more]) => [...more, name])]) {
    const { code, stdout, stderr } = await runCli(t, ['check', ...compiler, ...args], { cwd });
    assert.deepEqual([code, stdout, stderr], [0, '', ''], args.join(' '));
  }
});

test('what settles may be taken apart at once, and the status tells value and reason apart', async (t) => {
  const cwd = await temporaryFolder(t);
  const cell = [
    'const calls = [Promise.resolve({ city: "Oslo" })];',
    'for await (const { index, status, value, reason } of as_settled(calls))',
    '  text(status === "fulfilled" ? value.city : index + reason);',
    'await stream_settled(calls, ({ status, value, reason }) => text(status === "fulfilled" ? value.city : reason.message));',
    'await stream_settled(calls, ({ value }) => text(value.city));',
  ].join('\n');
  const { code, stdout } = await runCli(t, ['check', ...compiler, '-'], { cwd, stdin: cell });
  assert.equal(code, 1);
  assert.match(stdout, /^\[stdin\]:5:49 'value' is possibly 'undefined'\. \(TS18048\)\n$/);
});

test('what the tools for commands and files give has a type', async (t) => {
  const cwd = await temporaryFolder(t);
  const cell = [
    'const { output, exit_code, session_id } = await tools.exec_command({ cmd: "ls" });',
    'if (session_id !== undefined) text((await tools.write_stdin({ session_id })).output);',
    'text(output.trim() + exit_code?.toFixed());',
    'text((await tools.read_file({ path: "a" })).content.length + (await tools.write_file({ path: "a", content: "" })).bytes);',
    'for (const { name, kind } of (await tools.list_dir({ path: "." })).entries) text(kind === "file" ? name.trim() : kind);',
    'text(exit_code.toFixed());',
  ].join('\n');
  const { code, stdout } = await runCli(t, ['check', '--exec', ...compiler, '-'], { cwd, stdin: cell });
  assert.equal(code, 1);
  assert.match(stdout, /^\[stdin\]:6:6 'exit_code' is possibly 'null'\. \(TS18047\)\n$/);
});

test('TypeScript that no host could run is an error as well', async (t) => {
  const cwd = await folderOfCells(t);
  const args = ['check', ...compiler, 'enum.ts', '-e', 'enum Size { Small }'];
  const { code, stdout } = await runCli(t, args, { cwd });
  const lines = stdout.trimEnd().split('\n');
  assert.deepEqual([code, lines.length], [1, 2], stdout);
  assert.match(lines[0] ?? '', /^enum\.ts:2:1 .*an enum is more than a type.* \(unsupported-typescript\)$/);
  assert.match(lines[1] ?? '', /^\[eval\]:1:1 .*an enum is more than a type.* \(unsupported-typescript\)$/);
});

test('a compiler that is not there is named, with the remedy, and exit code 3', async (t) => {
  const cwd = await folderOfCells(t);
  for (const command of [['check'], ['--check']]) {
    const args = [...command, '--compiler', '/no/such', 'good.ts'];
    const { code, stdout, stderr } = await runCli(t, args, { cwd });
    assert.deepEqual([code, stdout, stderr.split('\n').length], [3, '', 2], stderr);
    assert.match(stderr, /^codemode-run: types cannot be checked: .*\/no\/such.*npm i -D typescript/);
    const json = await runCli(
      t,
      ['--json', ...args].sort((one, other) => Number(other === 'check') - Number(one === 'check')),
      { cwd },
    );
    const { type, code: reason } = lastEvent(json.stdout);
    assert.deepEqual([json.code, type, reason], [3, 'error', 'unsupported']);
  }
});

test('without TypeScript in reach the remedy is to install it', async (t) => {
  // The package where nothing lies beside it: in a clone its own TypeScript would be found.
  const folder = await temporaryFolder(t);
  for (const name of ['bin', 'dist', 'package.json'])
    await cp(join(root, name), join(folder, 'pack', name), { recursive: true });
  await mkdir(join(folder, 'project'));
  const cwd = join(folder, 'project');
  await writeFile(join(cwd, 'cell.ts'), cells['good.ts']);
  const shell = `shift 2; exec ${shellWord(process.execPath)} ${shellWord(join(folder, 'pack/bin/codemode-run.js'))} "$@"`;
  const { code, stdout, stderr } = await runCli(t, ['check', 'cell.ts'], { cwd, shell, env: { PATH: '/nowhere' } });
  assert.deepEqual([code, stdout], [3, ''], stderr);
  assert.match(stderr, /^codemode-run: types cannot be checked: .*npm i -D typescript/);
});

test('run --check refuses to run cells with errors, says so, and runs what is sound', async (t) => {
  const cwd = await folderOfCells(t);
  const { code, stdout, stderr } = await runCli(t, ['--check', ...compiler, 'good.ts', 'bad.ts'], { cwd });
  const lines = stderr.trimEnd().split('\n');
  assert.deepEqual([code, stdout, lines.length], [1, '', 4], stderr);
  assert.equal(lines[0], 'codemode-run: nothing was run: 3 errors in types');
  assert.match(lines[1] ?? '', /^bad\.ts:2:7 /);
  const sound = await runCli(t, ['--check', ...compiler, 'good.ts', 'plain.js'], { cwd });
  assert.deepEqual([sound.code, sound.stdout, sound.stderr], [0, '1\n1\n', '']);
});

test('with --json the last event of run --check has the errors', async (t) => {
  const cwd = await folderOfCells(t);
  const { code, stdout } = await runCli(t, ['--json', '--check', ...compiler, 'bad.ts'], { cwd });
  const { type, code: reason, data } = lastEvent(stdout);
  const { diagnostics } = data as { diagnostics: { file: string; line: number }[] };
  assert.deepEqual([code, type, reason, diagnostics.length], [1, 'error', 'types', 3]);
  assert.deepEqual([diagnostics[0]?.file, diagnostics[0]?.line], ['bad.ts', 2]);
  assert.ok(!parseEvents(stdout).some((event) => event.type === 'started'));
});

test('a check leaves nothing in the folder for temporary files', async (t) => {
  const cwd = await folderOfCells(t);
  const TMPDIR = await temporaryFolder(t);
  const { code } = await runCli(t, ['check', ...compiler, 'bad.ts'], { cwd, env: { TMPDIR } });
  assert.deepEqual([code, await readdir(TMPDIR)], [1, []]);
});
