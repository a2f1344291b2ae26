import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { schemaType, toolDeclaration } from '../../../src/tools/declarations/index.js';
import { mcpTypes } from '../../../src/tools/declarations/mcp-result.js';
import { complaints } from './compile.js';
import { realEntries, realTools, renderVectors } from './stored-schemas.js';
import { weirdSchema } from './weird-schemas.js';

// Each test starts the compiler once, for all its files.

const SEED = 20_250;
const typeFile = (text: string): string => `export type T = ${text};\n`;
const filesOf = (texts: readonly string[], prefix: string): Record<string, string> =>
  Object.fromEntries(texts.map((text, at) => [`${prefix}${at}.ts`, typeFile(text)]));

const schemas = [
  ...fc.sample(weirdSchema, { seed: SEED, numRuns: 400 }),
  ...fc.sample(fc.anything({ maxDepth: 3 }), { seed: SEED, numRuns: 50 }),
];

test(`types of the oddest schemas compile (seed ${SEED})`, () => {
  const texts = schemas.map((schema) => schemaType(schema));
  assert.ok(new Set(texts).size > 200, `${new Set(texts).size} different types`);
  assert.deepEqual([...complaints(filesOf(texts, 'weird'))], []);
});

test(`the safe text differs from the reference's only where that one does not compile, or in an index (seed ${SEED})`, () => {
  const pairs = schemas.map((schema) => [schemaType(schema), schemaType(schema, { dialect: 'reference' })] as const);
  // A description that switches the compiler off proves nothing.
  const different = pairs.filter(([safe, reference]) => safe !== reference && !reference.includes('// @ts-'));
  assert.ok(different.length > 50, `${different.length} differ`);
  let left = filesOf(
    different.map(([, reference]) => reference),
    '',
  );
  // Complaints about syntax hide all others.
  for (let found = complaints(left); found.size > 0; found = complaints(left)) {
    left = Object.fromEntries(Object.entries(left).filter(([name]) => !found.has(name)));
  }
  assert.ok(
    Object.keys(left).length < different.length / 10,
    `${Object.keys(left).length} of ${different.length} compile`,
  );
  const plain = (text: string): string => text.replace(/\[key: string\]: [\s\S]*/, '');
  for (const name of Object.keys(left)) {
    const [safe, reference] = different[Number.parseInt(name, 10)] ?? ['', 'none'];
    assert.equal(plain(safe), plain(reference).slice(0, plain(safe).length));
  }
});

test('types at the limits compile', () => {
  const deep = (wrap: (inner: unknown) => unknown): unknown => {
    let schema: unknown = { enum: ['a', 'b'] };
    for (let level = 0; level < 99; level += 1) schema = wrap(schema);
    return schema;
  };
  const choice = (prefix: string): object => ({
    anyOf: Array.from({ length: 99 }, (_, at) => ({ properties: { [`${prefix}${at}`]: true } })),
  });
  const wide = Array.from({ length: 6 }, (_, at) => [`p${at}`, { allOf: [choice(`a${at}_`), choice(`b${at}_`)] }]);
  const texts = [
    deep((inner) => ({ properties: { a: inner } })),
    deep((items) => ({ type: 'array', items })),
    deep((inner) => ({ prefixItems: [inner, inner] })),
    deep((inner) => ({ anyOf: [inner, { type: 'null' }] })),
    deep((inner) => ({ allOf: [inner, { type: 'string' }] })),
    deep((inner) => ({ additionalProperties: inner })),
    { const: JSON.parse('['.repeat(99) + ']'.repeat(99)) },
    { enum: Array.from({ length: 3_000 }, (_, at) => `v${at}`) },
    { properties: Object.fromEntries(Array.from({ length: 1_500 }, (_, at) => [`p${at}`, true])) },
    { properties: Object.fromEntries(wide) },
  ].map((schema) => schemaType(schema));
  assert.ok(texts.filter((text) => text.length > 20_000).length >= 3, texts.map(({ length }) => length).join(' '));
  assert.deepEqual([...complaints(filesOf(texts, 'limit'))], []);
});

test('declarations of the tools of real servers compile', () => {
  const distinct = new Set(
    realTools.flatMap(({ input, output }) => [input, output].filter(Boolean).map((one) => JSON.stringify(one))),
  );
  assert.ok(distinct.size >= 300, `${distinct.size} schemas`);
  assert.ok(new Set(realTools.map(({ server }) => server)).size >= 20);
  const files = Object.fromEntries(
    realEntries.map((entry, at) => [`tool${at}.ts`, `${toolDeclaration(entry)}\nexport type T = typeof tools;\n`]),
  );
  assert.deepEqual([...complaints({ ...files, 'mcp.d.ts': mcpTypes })], []);
  for (const { input } of realTools) assert.equal(schemaType(input), schemaType(input, { dialect: 'reference' }));
});

test('types of the vectors compile, and take values that fit their schemas', () => {
  const values: Readonly<Record<string, readonly unknown[]>> = {
    o_string: ['', 'x'],
    o_array: [[], ['a', 'b']],
    o_true: [null, 1, { a: 1 }],
    o_apt: [{}, { a: 'x', b: 1 }],
    o_apf_empty: [{}],
    o_apnull: [{ a: 'x', other: 1 }],
    o_title: [{}, { a: 'x' }],
    o_desc: [{ obj: { in: { x: 'x', y: { z: 'z' } } }, other: 5, star: '' }],
    o_tuple: [{ t: ['a', 1], t3: [1, 2], e: [1, 'x'] }],
    o_types: [{ arrnull: null, objnull: { a: 'a' }, nul: null, int: 5, req: { z: 1 }, ap: { x: 'y' } }],
    o_union: [{ arrAny: ['x', 1], allWithProps: { y: 1 }, anyWithType: { x: 'x' }, dup: 'x' }],
    o_enum: [{ obj: { a: [1, 'x'] }, arr: [1], cEnum: 1, uni: 'é"\\\n' }],
    o_names: [{ '': 'x', 'a-b': 'x', 'new\nline': 'x', class: 'x' }],
    o_ref2: [{ a: { b: { a: {} } }, esc: true }],
    p_anyof_desc: [{ a: 'x' }, { b: 'x' }],
    p_sib: [{ x: { a: 'x', b: 1 }, n: { a: 'x' } }],
    p_defs_nested: [{ o: { abs: 1, l: 'x' } }],
  };
  const files = Object.fromEntries(
    renderVectors.map(({ name, schema }) => [
      `${name}.ts`,
      `${typeFile(schemaType(schema))}export const all: T[] = [${(values[name] ?? []).map((value) => JSON.stringify(value)).join(', ')}];\n`,
    ]),
  );
  assert.deepEqual([...complaints(files)], []);
  // The test above would notice if nothing were checked.
  const wrong = {
    'wrong.ts': `${typeFile(schemaType(renderVectors.find(({ name }) => name === 'o_apt')?.schema))}export const v: T = { a: true };\n`,
  };
  assert.equal(complaints(wrong).size, 1);
});

test('the least value that a real schema wants is one of its type', () => {
  const files: Record<string, string> = {};
  realTools.forEach(({ input, output }, at) => {
    for (const [kind, schema] of Object.entries({ input, output })) {
      const value = leastOf(schema, schema);
      if (value === undefined) continue;
      files[`${kind}${at}.ts`] = `${typeFile(schemaType(schema))}export const v: T = ${JSON.stringify(value)};\n`;
    }
  });
  assert.ok(Object.keys(files).length >= 300, `${Object.keys(files).length} values`);
  assert.deepEqual([...complaints(files)], []);
});

/** Undefined where it would take a validator to tell. */
function leastOf(schema: unknown, root: unknown, depth = 0): unknown {
  const node = Object(schema) as Readonly<Record<string, unknown>>;
  if (schema === undefined || depth > 20 || '$ref' in node || 'allOf' in node) return undefined;
  if ('const' in node) return node.const;
  if (Array.isArray(node.enum)) return node.enum[0];
  const choices = node.anyOf ?? node.oneOf;
  if (Array.isArray(choices)) return leastOf(choices[0], root, depth + 1);
  const type = Array.isArray(node.type) ? node.type[0] : node.type;
  const plain = { string: 'x', number: 1.5, integer: 1, boolean: true, null: null, array: [] }[String(type)];
  if (type !== 'object') return plain;
  const required = Array.isArray(node.required) ? (node.required as string[]) : [];
  const properties = Object(node.properties) as Readonly<Record<string, unknown>>;
  const fields = required.map((name) => [name, leastOf(properties[name], root, depth + 1)] as const);
  return fields.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(fields);
}
