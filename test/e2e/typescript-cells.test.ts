import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lastEvent, runCli, temporaryFile } from '../support/cli.js';
import { echoTool } from './tool-files.js';

// Types are taken out before a host sees a cell; people see the cell that they wrote.

const typed = `interface Point { x: number; y: number }
type Named<T> = T & { name: string };
const points: Named<Point>[] = [{ name: 'a', x: 1, y: 2 }];
const sum = <T extends Point>({ x, y }: T): number => x + y;
const answer = (await tools.echo({ sum: sum(points[0]!) })) as { sum: number };
text(answer satisfies { sum: number });
`;
const thrower = `interface A { a: number }
const f = (x: A): number => { throw new Error(\`bad \${x.a}\`); };
f({ a: 1 } as A);
`;

test('a cell of TypeScript runs', async (t) => {
  const file = await temporaryFile(t, 'cell.ts', typed);
  const { code, stdout, stderr } = await runCli(t, ['--tools', echoTool, file]);
  assert.deepEqual([code, stdout, stderr], [0, '{"sum":3}\n', '']);
});

test('so does one with the endings of modules, from -e, and from standard input, whatever preflight does', async (t) => {
  const source = 'const n: number = 1; text(n as unknown);';
  for (const ending of ['mts', 'cts', 'TS']) {
    const file = await temporaryFile(t, `cell.${ending}`, source);
    const { code, stdout } = await runCli(t, ['--preflight', 'off', file]);
    assert.deepEqual([code, stdout], [0, '1\n'], ending);
  }
  for (const mode of ['report', 'fix']) {
    const { code, stdout, stderr } = await runCli(t, ['--preflight', mode, '-e', source, '-'], { stdin: source });
    assert.deepEqual([code, stdout, stderr], [0, '1\n1\n', '']);
  }
});

test('positions of errors are those of the file, and the line is shown with its types', async (t) => {
  const file = await temporaryFile(t, 'cell.ts', thrower);
  const { code, stdout, stderr } = await runCli(t, [file]);
  assert.deepEqual([code, stdout], [1, '']);
  const [place, line, caret = '', ...stack] = stderr.trimEnd().split('\n');
  assert.deepEqual([place, line], [`${file}:2:37`, `  ${thrower.split('\n')[1]}`]);
  assert.equal(caret, `${' '.repeat(38)}^`);
  assert.deepEqual(stack, ['  Error: bad 1', `      at f (${file}:2:37)`, `      at ${file}:3:1`]);
});

test('with --json the place is that of the file as well', async (t) => {
  const file = await temporaryFile(t, 'cell.ts', thrower);
  const { stdout } = await runCli(t, ['--json', file]);
  const { file: named, line, column } = lastEvent(stdout).error as { [name: string]: unknown };
  assert.deepEqual([named, line, column], [file, 2, 37]);
});

for (const [what, source, line, remedy] of [
  ['an enum', 'text(1);\nenum E { A, B }\ntext(E.A);\n', 2, /constant object/],
  ['a namespace with values', 'namespace N { export const a = 1 }\n', 1, /./],
  ['a parameter property', 'class C {\n  constructor(readonly a: number) {}\n}\n', 2, /./],
] as const) {
  test(`${what} is refused with its place before anything runs`, async (t) => {
    const file = await temporaryFile(t, 'cell.ts', source);
    for (const more of [[], ['--preflight', 'off'], ['--preflight', 'fix']]) {
      const { code, stdout, stderr } = await runCli(t, [...more, '-e', 'text("first")', file]);
      assert.deepEqual([code, stdout, stderr.split('\n').length], [1, '', 2], stderr);
      assert.ok(stderr.startsWith(`codemode-run: ${file}:${line}:`), stderr);
      assert.match(stderr, remedy);
    }
    const { code, stdout } = await runCli(t, ['--json', file]);
    const { type, data } = lastEvent(stdout);
    assert.deepEqual([code, type, (data as { line: number }).line], [1, 'error', line]);
  });
}

test('an enum in -e is a finding, and the error of a cell that failed', async (t) => {
  const { code, stdout, stderr } = await runCli(t, ['-e', 'enum E { A }; text(E.A)']);
  assert.deepEqual([code, stdout], [1, '']);
  assert.match(stderr, /^\[eval\]:1:1: .*an enum is more than a type.* \(unsupported-typescript\)$/m);
  assert.match(stderr, /^ {2}SyntaxError: /m);
});

test('a cell of TypeScript that cannot be parsed says where', async (t) => {
  const file = await temporaryFile(t, 'cell.ts', 'const n: number = 1;\nconst m: = 2;\n');
  const { code, stdout, stderr } = await runCli(t, [file]);
  assert.deepEqual([code, stdout], [1, '']);
  assert.match(stderr, /cell\.ts:2:\d+/);
});
