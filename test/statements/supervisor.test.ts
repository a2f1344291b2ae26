import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../support/cli.js';
import { statements } from './supervisor.js';
import { TestTitles } from './test-titles.js';

const sourceOf = (file: string): string => join(root, 'test', `${file}.test.ts`);

test('every statement from 1 to 132 stands in the table once, in order, with its words', () => {
  assert.deepEqual(
    statements.map(({ number }) => number),
    Array.from({ length: 132 }, (_, at) => at + 1),
  );
  for (const { number, says } of statements) assert.ok(says.length > 5, `${number}`);
});

test('every statement has tests, or a reason why it has none', () => {
  // A literal on purpose: a statement that applies to nothing is somebody's decision.
  assert.deepEqual(
    statements.filter(({ notApplicable }) => notApplicable !== undefined).map(({ number }) => number),
    [5, 25, 34, 43, 46],
  );
  for (const { number, tests, notApplicable } of statements) {
    if (notApplicable === undefined) assert.ok(tests.length > 0, `${number} has no test`);
    else assert.ok(tests.length === 0 && notApplicable.length > 20, `${number} has tests, or no reason`);
  }
});

test('every test that the table names is there, under that title', () => {
  const titles = new Map<string, TestTitles>();
  for (const { number, tests } of statements) {
    for (const { file, title } of tests) {
      assert.ok(existsSync(sourceOf(file)), `${number}: no file ${file}`);
      const known = titles.get(file) ?? new TestTitles(readFileSync(sourceOf(file), 'utf8'));
      titles.set(file, known);
      assert.ok(known.has(title), `${number}: no test in ${file} is called: ${title}`);
    }
  }
});

test('a title counts only when a test has it: literal, in a row, or with the values of a row', () => {
  const titles = new TestTitles(`
    const rows = [['a row', 1], ["it's another", 2]];
    for (const [title] of rows) test(title, () => {});
    for (const [name, n] of rows) test(\`\${name} is number \${n + 1}\`, () => {});
    test('a "literal"', () => {});
  `);
  for (const title of ['a "literal"', 'a row', "it's another", 'a row is number 2'])
    assert.ok(titles.has(title), title);
  for (const title of ['literal', 'a rower', 'no row is number 2', 'a row is number two'])
    assert.ok(!titles.has(title));
  assert.ok(!new TestTitles("const other = 'a row'; test('one', () => {});").has('a row'));
});

test('every deliberate difference is a row of docs/differences.md', () => {
  const rows = readFileSync(join(root, 'docs/differences.md'), 'utf8').split('\n');
  for (const { number, differs } of statements) {
    for (const words of differs)
      assert.ok(
        rows.some((row) => row.startsWith(`| ${words}`)),
        `${number}: ${words}`,
      );
  }
});
