import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeFrame, locateError } from '../../src/cli/error-position.js';

const cell = (source: string) => ({ label: 'dir/my cell.js', source });

test("positions are named as in the user's file", () => {
  const source = 'const f = () => {\n  throw new Error("boom");\n};\nf();';
  const report = locateError(cell(source), 'Error: boom\n    at f (exec_main.mjs:2:9)\n    at exec_main.mjs:4:1');
  assert.equal(report.message, 'Error: boom\n    at f (dir/my cell.js:2:9)\n    at dir/my cell.js:4:1');
  assert.deepEqual(report.position, { line: 2, column: 9 });
});

test('frames of built-in functions are passed over, and eval counts where it was called', () => {
  const inArray = locateError(cell('[1].map(f)'), 'Error: x\n    at Array.map (<anonymous>)\n    at exec_main.mjs:1:5');
  assert.deepEqual(inArray.position, { line: 1, column: 5 });
  const inEval = 'Error: x\n    at eval (eval at <anonymous> (exec_main.mjs:1:1), <anonymous>:1:7)';
  assert.deepEqual(locateError(cell('eval("")'), inEval).position, { line: 1, column: 1 });
});

test('the message of an error is left alone, whatever it contains', () => {
  const report = locateError(cell('throw "x"'), 'see exec_main.mjs:1:1');
  assert.deepEqual(report, { message: 'see exec_main.mjs:1:1', position: null });
});

test('a position outside the source is not believed', () => {
  for (const place of ['9:1', '1:99', '0:1', '1:0', '99999999999999999999:1']) {
    assert.equal(locateError(cell('f()'), `Error: x\n    at exec_main.mjs:${place}`).position, null);
  }
});

test('all line ends of JavaScript count, a byte-order mark is a column', () => {
  const source = '\uFEFFa\r\nb\rc\u2028d\u2029e\nthrow 1';
  const { position } = locateError(cell(source), 'Error: x\n    at exec_main.mjs:6:1');
  assert.deepEqual(position, { line: 6, column: 1 });
  assert.equal(codeFrame(source, { line: 6, column: 1 }), 'throw 1\n^');
});

test('a syntax error, which hosts report without a place, is found in the source', () => {
  for (const [source, text, line, column] of [
    ['const a = 1;\nconst a = 2;', "SyntaxError: Identifier 'a' has already been declared", 2, 7],
    ['let x = ;', "SyntaxError: Unexpected token ';'", 1, 9],
    ['#!/usr/bin/env codemode-run\nawait 1;\n  let y = ;', "SyntaxError: Unexpected token ';'", 3, 11],
  ] as const) {
    assert.deepEqual(locateError(cell(source), text).position, { line, column }, source);
  }
});

test('a syntax error that Node words differently in a function than in a module is found too', () => {
  for (const [source, text, line, column] of [
    ['let x = ;', 'SyntaxError: something else', 1, 9],
    ['text(1);\nfoo(\n', 'SyntaxError: Unexpected end of input', 2, 5],
    ['text(1);\n\n  return 3;\n', 'SyntaxError: Illegal return statement', 3, 3],
    ['}; while (true) {} async () => {', 'SyntaxError: Unexpected end', 1, 1],
  ] as const) {
    assert.deepEqual(locateError(cell(source), text).position, { line, column }, source);
  }
});

test('a syntax error in what nobody else finds fault with has no place', () => {
  for (const source of ['1', `${'('.repeat(1e5)}`])
    assert.equal(locateError(cell(source), "SyntaxError: Unexpected token ';'").position, null);
});

test('a value that hosts have no words for is told as one', () => {
  const report = { message: 'it threw a value that cannot be shown', position: null };
  assert.deepEqual(locateError(cell('throw poisoned'), ''), report);
});

test('the caret stands under the column, also behind tabs and in a very long line', () => {
  assert.equal(codeFrame('\tfoo.bar', { line: 1, column: 6 }), '\tfoo.bar\n\t    ^');
  const long = `${'a'.repeat(500)}X${'b'.repeat(500)}`;
  const [line = '', caret = ''] = codeFrame(long, { line: 1, column: 501 }).split('\n');
  assert.equal(line.length, 100);
  assert.equal(line[caret.indexOf('^')], 'X');
});
