import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';
import type { AnyNode } from 'acorn';
import fc from 'fast-check';
import { stripTypes } from '../../src/source/strip-types.js';
import { parseCell } from '../../src/source/syntax.js';

// In the style without semicolons, where a line that could go on with the one before begins with one.

const statements = [
  'out("call")',
  'let N = 1',
  'const N = () => 1',
  'const N = class {}',
  'const N = {}',
  'if (n) out("if")',
  '{ out("block") }',
  'n++',
  '[1, 2].forEach((x) => out(x))',
  '(out)("parenthesis")',
  '`template`.at(0)',
  '/x/.test("x")',
  '+out("plus")',
  '-out("minus")',
  '++n',
];
const declarations = [
  'type N = { a: number; b: string }',
  'type N =\n  | "a" // one\n  | "b"',
  'type N = 1',
  'interface N { a: string }',
  'import type { N } from "x"',
  'export type { N } from "x"',
  'export type N = string',
  'declare const N: number',
  'declare let N',
  'declare function N(a: string): void',
  'declare class N {}',
  'declare module "N";',
  'namespace N { export type A = 1 }',
  'function N(a: string): void\nfunction N(a) {}',
  'type N = 1 // why\n/* and\nwhy */ type MN = 2',
];
const members = [
  'N = 1',
  '["N"]() { return 2 }',
  '*N() {}',
  'in = 2',
  'N() {}',
  'static N = [3]',
  'static { out("s") }',
];
const declaredMembers = [
  'declare N: number',
  'private declare N: string',
  'abstract N: number',
  'abstract N(): void',
  'N(): void\nN(a) {}',
  'declare N: {\n  type: 1\n}',
];

interface Item {
  readonly text: string;
  readonly end: '\n' | ';\n' | '; ' | '\n;';
}

const items = (kept: readonly string[], blanked: readonly string[]) =>
  fc.array(
    fc.record({
      text: fc.constantFrom(...kept, ...blanked),
      end: fc.constantFrom<Item['end']>('\n', ';\n', '; ', '\n;'),
    }),
    { minLength: 2, maxLength: 8 },
  );

/** The text with types, and what it has to mean: only what stays, with a semicolon behind everything. */
function written(
  list: readonly Item[],
  blanked: readonly string[],
): { readonly source: string; readonly meant: string } {
  let source = '';
  const meant: string[] = [];
  let before: Item | undefined;
  for (const [index, item] of list.entries()) {
    const text = item.text.replaceAll('N', `n${index}`);
    const isKept = !blanked.includes(item.text);
    const goesOn = /^([[(`/+*-]|in\b)/.test(text) && before !== undefined && !blanked.includes(before.text);
    const joins = goesOn || (text.startsWith('{') && /^declare function/.test(before?.text ?? ''));
    source += `${joins ? ';' : ''}${text}${isKept ? '\n' : item.end}`;
    const implementation = text.split('\n').at(-1) ?? '';
    if (isKept) meant.push(text);
    else if (/^(function )?n\d+\(.*\{\}$/.test(implementation)) meant.push(implementation);
    before = item;
  }
  return { source, meant: meant.join('\n;') };
}

function partsOf(code: string): string[] {
  const { program } = parseCell(code);
  assert.ok(program !== undefined, code);
  const [only] = program.body;
  const list: readonly AnyNode[] = only?.type === 'ClassDeclaration' ? only.body.body : program.body;
  return list
    .filter(({ type }) => type !== 'EmptyStatement')
    .map(({ start, end }) => code.slice(start, end).replace(/(?:\s|;|\/\/.*|\/\*[^/]*\/)+$/, ''));
}

function ran(code: string): unknown[] {
  const shown: unknown[] = [];
  runInNewContext(code, { out: (value: unknown) => shown.push(value), n: 1 });
  return shown;
}

test('what is blanked between two statements does not join them', async () => {
  await fc.assert(
    fc.asyncProperty(items(statements, declarations), async (list) => {
      const { source, meant } = written(list, declarations);
      const code = await stripTypes(source);
      assert.deepEqual(partsOf(code), partsOf(meant), source);
      assert.deepEqual(ran(code), ran(meant), source);
      assertPlaces(source, code);
    }),
    { seed: 20, numRuns: 300 },
  );
});

test('what is blanked between two members of a class does not join them', async () => {
  await fc.assert(
    fc.asyncProperty(items(members, declaredMembers), async (list) => {
      const { source, meant } = written(list, declaredMembers);
      const code = await stripTypes(`abstract class A {\n${source}}`);
      const parts = partsOf(code.trimStart());
      assert.deepEqual(parts, partsOf(`class A {\n${meant}}`), source);
      assertPlaces(`abstract class A {\n${source}}`, code);
    }),
    { seed: 20, numRuns: 300 },
  );
});

/** Every character is that of the source, a blank, or a semicolon in the place of something blanked. */
function assertPlaces(source: string, code: string): void {
  assert.equal(code.length, source.length);
  for (let at = 0; at < source.length; at += 1)
    assert.ok([source[at], ' ', ';'].includes(code[at]), `${JSON.stringify(code)} at ${at}`);
}

test('a semicolon that begins a line stays, or one stands where the blanks begin', async () => {
  const strip = stripTypes;
  assert.equal(await strip('const n = 1\ntype R = {}\n;[n]'), 'const n = 1\n           \n;[n]');
  assert.equal(await strip('const n = 1\ndeclare let z; (n)'), 'const n = 1\n             ; (n)');
  assert.equal(await strip('class A { x = 1\n declare y: 1\n *z() {} }'), 'class A { x = 1\n ;           \n *z() {} }');
});

test('a type over several lines ends nothing', async () => {
  const source = 'const n = f as {\n  type: 1\n  declare: 2\n}\n|| g\nlet m: A extends B\n  ? C\n  : D\n= 1';
  const code = await stripTypes(source);
  assert.doesNotMatch(code, /;/);
  assert.equal(partsOf(code).length, 2);
});

test('a semicolon is put nowhere else', async () => {
  for (const source of ['type A = 1;\ntext(1)', 'let a: 1\n;[a]', 'const f = 1 as any\ntype B = 1\nf'])
    assert.equal((await stripTypes(source)).replace(/[^;]/g, ''), source.startsWith('let') ? ';' : '');
});
