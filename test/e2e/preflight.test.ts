import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lastEvent, parseEvents, runCli, temporaryFile } from '../support/cli.js';
import { echoTool } from './tool-files.js';

// Slips that models make: reported to people, mended for programs, and never guessed.

const fenced = '```js\ntext(await tools.echo({ a: 1 }));\n```\n';
const slips = 'text(1);\ntools.echo({ a: 1 });\nreturn 5;\n';

interface Finding {
  readonly code: string;
  readonly line: number;
  readonly column: number;
  readonly fixed: boolean;
}
const findingsOf = (stdout: string): Finding[] =>
  parseEvents(stdout)
    .filter(({ type }) => type === 'preflight')
    .flatMap(({ findings }) => findings as Finding[]);

test('people are told, with the place, and the cell runs as it is', async (t) => {
  const file = await temporaryFile(t, 'cell.js', slips);
  const { code, stdout, stderr } = await runCli(t, ['--tools', echoTool, file]);
  assert.deepEqual([code, stdout], [1, '']);
  const [first = '', second = '', ...rest] = stderr.trimEnd().split('\n');
  assert.ok(first.startsWith(`${file}:2:1: nothing waits for tools.echo(…)`), first);
  assert.ok(first.endsWith('(unawaited-tool-call)'), first);
  assert.ok(second.startsWith(`${file}:3:1: return works in functions only`), second);
  assert.match(rest.join('\n'), /SyntaxError: Illegal return statement/);
  const same = await runCli(t, ['--preflight', 'report', '--tools', echoTool, file]);
  assert.deepEqual([same.code, same.stderr], [code, stderr]);
});

test('with fix what was mended is said, and the repaired cell runs', async (t) => {
  const file = await temporaryFile(t, 'cell.js', slips);
  const { code, stdout, stderr } = await runCli(t, ['--preflight', 'fix', '--tools', echoTool, file]);
  assert.deepEqual([code, stdout], [0, '1\n5\n']);
  const lines = stderr.trimEnd().split('\n');
  assert.deepEqual([lines.length, lines.every((line) => line.endsWith(', mended)'))], [2, true], stderr);
});

test('with off nothing is said or done', async (t) => {
  const file = await temporaryFile(t, 'cell.js', slips);
  const { code, stderr } = await runCli(t, ['--preflight', 'off', '--tools', echoTool, file]);
  assert.deepEqual([code, stderr], [1, `${file}:3:1\n  return 5;\n  ^\n  SyntaxError: Illegal return statement\n`]);
});

test('with --json slips are mended unless told otherwise, and the event comes before the cell', async (t) => {
  const file = await temporaryFile(t, 'cell.js', fenced);
  const { code, stdout, stderr } = await runCli(t, ['--json', '--tools', echoTool, file]);
  assert.deepEqual([code, stderr, lastEvent(stdout).status], [0, '', 'completed']);
  const types = parseEvents(stdout).map(({ type }) => type);
  assert.ok(types.indexOf('preflight') < types.indexOf('started'), types.join());
  const event = parseEvents(stdout).find(({ type }) => type === 'preflight');
  assert.equal(event?.cell, file);
  const [{ code: what, line, column, fixed } = assert.fail(stdout)] = findingsOf(stdout);
  assert.deepEqual([what, line, column, fixed], ['code-fence', 1, 1, true]);
  const content = JSON.stringify(parseEvents(stdout).find(({ type }) => type === 'content'));
  assert.ok(content.includes(JSON.stringify('{"a":1}')), content);
});

test('with --json --preflight report or off nothing is mended', async (t) => {
  const file = await temporaryFile(t, 'cell.js', fenced);
  for (const [mode, findings] of [
    ['report', [false]],
    ['off', []],
  ] as const) {
    const { code, stdout } = await runCli(t, ['--json', '--preflight', mode, '--tools', echoTool, file]);
    assert.deepEqual([code, findingsOf(stdout).map(({ fixed }) => fixed)], [1, [...findings]]);
  }
});

test('a program in a JSON object is taken out, and its errors are those of the program', async (t) => {
  const source = JSON.stringify({ code: 'text("in");\nthrow new Error("x")' });
  const { code, stdout, stderr } = await runCli(t, ['--preflight', 'fix', '-e', source]);
  assert.deepEqual([code, stdout], [1, 'in\n']);
  assert.match(stderr, /^\[eval\]:1:1: .* \(json-wrapper, mended\)$/m);
  assert.match(stderr, /^ {2}throw new Error\("x"\)\n {8}\^\n {2}Error: x$/m);
});

test('a tool that is not there gets the nearest name, and no other tool is called in its place', async (t) => {
  for (const mode of ['report', 'fix']) {
    const args = ['--preflight', mode, '--tools', echoTool, '-e', 'text(await tools.eco({}))'];
    const { code, stdout, stderr } = await runCli(t, args);
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /^\[eval\]:1:18: there is no tool "eco": did you mean tools\.echo\? \(unknown-tool\)$/m);
  }
});

test('each cell has findings of its own, told before it runs', async (t) => {
  const cells = ['-e', 'tools.echo({}); text("one")', '-e', 'text("two")', '-e', 'tools.echo({}); text("three")'];
  const { code, stdout } = await runCli(t, ['--json', '--tools', echoTool, ...cells]);
  assert.equal(code, 0);
  const order = parseEvents(stdout)
    .filter(({ type }) => type === 'preflight' || type === 'started')
    .map(({ type, cell }) => `${type} ${cell}`);
  assert.deepEqual(order, [
    'preflight [eval 1]',
    'started [eval 1]',
    'started [eval 2]',
    'preflight [eval 3]',
    'started [eval 3]',
  ]);
});

test('a sound cell gets no word', async (t) => {
  const { code, stdout, stderr } = await runCli(t, ['--tools', echoTool, '-e', 'text(await tools.echo({ a: 1 }))']);
  assert.deepEqual([code, stdout, stderr], [0, '{"a":1}\n', '']);
});

test('another mode is a usage error', async (t) => {
  const { code, stderr } = await runCli(t, ['--preflight', 'fx', '-e', 'text(1)']);
  assert.equal(code, 2);
  assert.match(stderr, /^codemode-run: --preflight must be off, report or fix, got "fx"$/m);
});
