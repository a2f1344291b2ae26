import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { CodemodeError } from '../../src/errors.js';
import { stripTypes } from '../../src/source/strip-types.js';

const label = 'cell.ts';

test('types are blanked, and every character after them keeps its place', async () => {
  const source =
    'interface A {\n  a: "日本😀";\n}\r\nconst x: A | null = null;\ntext(x as unknown, <never>"");\n'.replace(
      '<never>',
      '',
    );
  const code = await stripTypes(source, { label });
  assert.equal(code.length, source.length);
  assert.deepEqual(
    [...code.matchAll(/\r?\n/g)].map(({ index }) => index),
    [...source.matchAll(/\r?\n/g)].map(({ index }) => index),
  );
  assert.equal(code.indexOf('null;'), source.indexOf('null;'));
  assert.equal(code.indexOf(');'), source.indexOf(');'));
  assert.doesNotMatch(code, /interface|unknown/);
});

test('a byte-order mark, a line of `#!` and line separators inside types stay', async () => {
  assert.equal(await stripTypes('\uFEFFlet a: number;', { label }), '\uFEFFlet a        ;');
  assert.match(await stripTypes('#!/usr/bin/env x\nlet a: 1;', { label }), /^#!\/usr\/bin\/env x\nlet a {3};$/);
  assert.equal(await stripTypes('type A =\u2028 1;\ntext(1)', { label }), '        \u2028   \ntext(1)');
});

const refused = async (source: string, position: string, words: RegExp): Promise<void> => {
  await assert.rejects(stripTypes(source, { label }), (error) => {
    assert.ok(error instanceof CodemodeError);
    assert.equal(error.code, 'invalid-argument');
    assert.ok(error.message.startsWith(`${label}:${position}: `), error.message);
    assert.match(error.message, words);
    assert.doesNotMatch(error.message, /\n/);
    assert.deepEqual(error.data, {
      label,
      line: Number(position.split(':')[0]),
      column: Number(position.split(':')[1]),
    });
    return true;
  });
};

test('TypeScript that is more than types is refused, with its place and a remedy', async () => {
  await refused('enum A { B }', '1:1', /constant object/);
  await refused('text(1);\n\n  enum A {\n    B,\n  }\n', '3:3', /constant object/);
  await refused('\tconst s = "日本😀"; enum A {}', '1:20', /constant object/);
  await refused('namespace N { export const a = 1 }', '1:1', /plain object/);
  await refused('class A {\n  constructor(private x: number) {}\n}', '2:23', /assign it in the constructor/);
  await refused('import x = require("x");', '1:1', /no modules/);
  await refused('let x = <any>y;', '1:9', /as Type/);
});

test('a syntax error is refused with its place', async () => {
  await refused('text(1);\nconst = 2;', '2:7', /Unexpected token/);
  await refused('let a: number = "open', '1:17', /Unterminated/);
});

test('places count UTF-16 units and the lines of JavaScript, whatever stands before them', async () => {
  const enumAfter = (before: string, position: string): Promise<void> =>
    refused(`${before}enum A {}`, position, /constant object/);
  await enumAfter('\tlet a;\t', '1:9');
  await enumAfter('"日本"; ', '1:7');
  await enumAfter('"😀👨‍👩‍👧"; ', '1:15');
  await enumAfter('"e\u0301\u0301\u200B"; ', '1:9');
  await enumAfter('let 名前 = "“é”"; ', '1:17');
  await enumAfter('"\u0000\u0001\uD800";\v\f\u00A0', '1:10');
  await enumAfter('\uFEFF', '1:2');
  await enumAfter('\uFEFF"日";\n\t', '2:2');
  await enumAfter('"日";\r\n ', '2:2');
  await enumAfter('"日";\r ', '2:2');
  await enumAfter('"日";\u2028 ', '2:2');
  await enumAfter('"日\u2028日";\n ', '3:2');
  await refused('"日"; let x = “a”;', '1:14', /./);
});

test('a text that exhausts the stripper is refused, and the next one is stripped', async () => {
  const inside = `x = ${'('.repeat(60)}1 as 2${')'.repeat(60)}`;
  const shapes = ['(', '{', 'a=>', '!', '`${', 'if (a) ', 'a = ', 'typeof ', 'class A { a() {', 'a<b<c>>('];
  const deep = [...shapes.map((shape) => shape.repeat(20_000)), `let a: ${'A<B, '.repeat(20_000)}`];
  for (const text of deep) {
    await assert.rejects(
      stripTypes(text, { label }),
      { code: 'invalid-argument', message: /nested too deeply$/ },
      text,
    );
    assert.equal(await stripTypes(inside, { label }), inside.replace('as 2', '    '), text);
  }
});

test('how deep a text may be nested does not depend on who asks', async () => {
  const nested = `${'('.repeat(400)}1 as 2${')'.repeat(400)}`;
  const from = <T>(frames: number, end: () => T): T => (frames > 0 ? from(frames - 1, end) : end());
  let most = 20_000;
  const overflows = (): boolean => {
    try {
      return from(most, () => false);
    } catch {
      return true;
    }
  };
  while (overflows()) most -= 500;
  const code = await from(Math.floor(most * 0.8), () => stripTypes(nested, { label }));
  assert.equal(code, nested.replace('as 2', '    '));
});

test('a program without semicolons is not taken for a deep one', async () => {
  const lines = 'const f = (a: A<B>) => !a ? 1 : 2\n'.repeat(500);
  assert.equal((await stripTypes(lines, { label })).length, lines.length);
});

test('a fault too far to the right is one, and the next text is stripped', async () => {
  const far = `${'let a;'.repeat(12_000)}enum A {}`;
  for (let round = 0; round < 3; round += 1) {
    await refused(far, '1:1', /beyond column 65535/);
    assert.equal(await stripTypes('let a: 1', { label }), 'let a   ');
  }
});

test('a stripper that could not be loaded is loaded by the next who needs it', () => {
  const hook = `
    let failed = false;
    export async function resolve(specifier, context, next) {
      if (specifier !== '@swc/wasm-typescript' || failed) return next(specifier, context);
      failed = true;
      throw new Error('out of reach');
    }`;
  const script = `
    import { register } from 'node:module';
    register('data:text/javascript,' + ${JSON.stringify(encodeURIComponent(hook))});
    const { stripTypes } = await import(${JSON.stringify(new URL('../../src/source/strip-types.js', import.meta.url).href)});
    const said = ({ message }) => message;
    const outcomes = [await stripTypes('let a: 1').catch(said), await stripTypes('let a: 1').catch(said)];
    process.stdout.write(JSON.stringify(outcomes));`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--no-warnings', '--input-type=module', '-e', script], {
    encoding: 'utf8',
    timeout: 60_000,
  });
  assert.deepEqual([stdout, stderr], [JSON.stringify(['out of reach', 'let a   ']), '']);
});

test('the label may be left out', async () => {
  await assert.rejects(stripTypes('enum A {}'), { code: 'invalid-argument', message: /^\[cell\]:1:1: / });
  await assert.rejects(stripTypes(1 as never), {
    code: 'invalid-argument',
    message: 'stripTypes: source must be a string, got 1',
  });
});
