import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { lastEvent, parseEvents, root, runCli, temporaryFile, temporaryFolder } from '../support/cli.js';
import { shellWord } from '../support/shell-word.js';

// Cells through the built command line and our own host.

test('text goes to stdout, one item a line', async (t) => {
  const ended = await runCli(t, ['-e', 'text(1+1); text("two\\nlines"); text({ a: [1] })']);
  assert.deepEqual(ended, { code: 0, signal: null, stdout: '2\ntwo\nlines\n{"a":[1]}\n', stderr: '' });
});

test('a cell that prints nothing completes', async (t) => {
  assert.deepEqual(await runCli(t, ['-e', '']), { code: 0, signal: null, stdout: '', stderr: '' });
});

test('an error names its line, with the line and a caret', async (t) => {
  const { code, stdout, stderr } = await runCli(t, ['-e', 'throw new Error("x")']);
  assert.deepEqual([code, stdout], [1, '']);
  assert.equal(stderr, '[eval]:1:7\n  throw new Error("x")\n        ^\n  Error: x\n      at [eval]:1:7\n');
});

test('an error in a file names the file as the user wrote it', async (t) => {
  const cwd = await temporaryFolder(t);
  const file = await temporaryFile(
    t,
    'cell.js',
    'const a = {};\n\nasync function f() {\n  return a.b.c;\n}\nawait f();\n',
  );
  const { code, stderr } = await runCli(t, [file], { cwd });
  assert.equal(code, 1);
  assert.ok(stderr.startsWith(`${file}:4:14\n    return a.b.c;\n               ^\n  TypeError: `), stderr);
});

test('a syntax error has a position too', async (t) => {
  const { code, stdout } = await runCli(t, ['--json', '-e', 'let a = 1;\nlet b = ;']);
  const { status, error } = lastEvent(stdout) as { status?: unknown; error?: { [field: string]: unknown } };
  assert.deepEqual([code, status, error?.file, error?.line, error?.column], [1, 'failed', '[eval]', 2, 9]);
  assert.match(String(error?.message), /^SyntaxError: /);
});

test('what is thrown need not be an error', async (t) => {
  for (const [source, shown] of [
    ['throw 7', '7'],
    ['throw "words"', 'words'],
    ['setTimeout(() => { throw 1 }, 5); await new Promise(() => {})', '1'],
  ] as const) {
    const { code, stderr } = await runCli(t, ['-e', source]);
    assert.deepEqual([code, stderr], [1, `[eval]: ${shown}\n`]);
  }
});

test('a rejection that nobody awaits does not end the host', async (t) => {
  const cells = ['Promise.reject(new Error("x")); text(1)', 'text(2)'].flatMap((source) => ['-e', source]);
  const { code, stdout } = await runCli(t, cells);
  assert.deepEqual([code, stdout], [0, '1\n2\n']);
});

test('cells run in the order given, in one session, from wherever they come', async (t) => {
  const file = await temporaryFile(t, 'second.js', 'store("trail", [...load("trail"), "file"])');
  const args = ['-e', 'store("trail", ["first"])', file, '-', '-e', 'text(load("trail").join(" "))'];
  const { code, stdout, stderr } = await runCli(t, args, { stdin: 'store("trail", [...load("trail"), "stdin"])' });
  assert.deepEqual([code, stdout, stderr], [0, 'first file stdin\n', '']);
});

test('the run stops at the first cell that does not complete', async (t) => {
  const args = ['-e', 'text("one")', '-e', 'throw new Error("two")', '-e', 'text("three")'];
  const { code, stdout, stderr } = await runCli(t, args);
  assert.deepEqual([code, stdout], [1, 'one\n']);
  assert.match(stderr, /^\[eval 2\]:1:7\n/);
});

test('globals of one cell are not there in the next', async (t) => {
  const { code, stdout } = await runCli(t, ['-e', 'globalThis.left = 1', '-e', 'text(typeof left)']);
  assert.deepEqual([code, stdout], [0, 'undefined\n']);
});

test('a cell sees what it should, and no more', async (t) => {
  const source =
    'text([typeof process, typeof require, typeof fetch, typeof WebAssembly, typeof console, typeof Buffer].join())';
  const { stdout } = await runCli(t, ['-e', source]);
  assert.equal(stdout, `${Array.from({ length: 6 }, () => 'undefined').join()}\n`);
});

test('every line of --json is an event, in the order in which things happen', async (t) => {
  const { code, stdout, stderr } = await runCli(t, ['--json', '-e', 'text("a"); notify("n"); text("b")']);
  const events = parseEvents(stdout);
  assert.deepEqual([code, stderr], [0, '']);
  assert.deepEqual([events[0]?.type, events[1]?.type, events.at(-1)?.type], ['host', 'started', 'result']);
  const { program, pid, version, capabilities, handshakeMs } = events[0] ?? { type: '' };
  assert.deepEqual(
    [typeof program, typeof pid, version, Array.isArray(capabilities), typeof handshakeMs],
    ['string', 'number', 1, true, 'number'],
  );
  const items = events.filter(({ type }) => type === 'content').flatMap((event) => event.items);
  assert.deepEqual(items, [
    { type: 'input_text', text: 'a' },
    { type: 'input_text', text: 'b' },
  ]);
  assert.deepEqual(
    events.filter(({ type }) => type === 'notification').map((event) => event.text),
    ['n'],
  );
  assert.deepEqual([events.at(-1)?.status, events.at(-1)?.error], ['completed', undefined]);
});

test('text appears while the cell runs', async (t) => {
  const { CliRun } = await import('../support/cli.js');
  const run = new CliRun(t, [
    '--yield-time',
    '50',
    '--timeout',
    '8000',
    '-e',
    'text("up"); await new Promise(() => {})',
  ]);
  await run.seen(/^up$/m);
  run.child.kill('SIGTERM');
  assert.equal((await run.finish()).code, 143);
});

test('the example prints the licences of this project', async (t) => {
  const args = ['examples/licenses.js', '--tools', 'examples/files.tools.js'];
  const { code, stdout, stderr } = await runCli(t, args, { cwd: root });
  assert.deepEqual([code, stderr], [0, '']);
  assert.match(stdout, /^licence +count +packages\n/);
  assert.match(stdout, /\ntotal +\d+ +\n$/);
});

test('the command is also there under the name that a shell would run', async (t) => {
  const shell = `${shellWord(join(root, 'bin/codemode-run.js'))} -e 'text("by name")'`;
  const { code, stdout } = await runCli(t, [], { shell });
  assert.deepEqual([code, stdout], [0, 'by name\n']);
});
