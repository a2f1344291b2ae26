import assert from 'node:assert/strict';
import { test } from 'node:test';
import { schemaType, toolDeclaration } from '../../../src/tools/declarations/index.js';
import { mcpTypes } from '../../../src/tools/declarations/mcp-result.js';
import type { Tool } from '../../../src/tools/tool.js';
import { complaints } from './compile.js';
import { entryOf, envelopeOf } from './stored-schemas.js';

const city = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const broken = (schema: unknown): Tool['inputSchema'] => schema as Tool['inputSchema'];

test('a function tool takes args, a freeform tool a string, and what has no schema is unknown', () => {
  const outputSchema = { type: 'array', items: { type: 'number' } };
  assert.equal(
    toolDeclaration(entryOf('weather', { inputSchema: city, outputSchema })),
    'declare const tools: { weather(args: { city: string; }): Promise<Array<number>>; };',
  );
  assert.equal(
    toolDeclaration(entryOf('patch', { inputSchema: city, kind: 'freeform' })),
    'declare const tools: { patch(input: string): Promise<unknown>; };',
  );
  for (const schema of [{}, true, undefined]) {
    const text = toolDeclaration(entryOf('any', { inputSchema: broken(schema) }));
    assert.equal(text, 'declare const tools: { any(args: unknown): Promise<unknown>; };');
  }
});

test('an MCP result is named, with what is inside if anything is known of it', () => {
  const outputOf = (outputSchema: object): string | undefined =>
    /Promise<([\s\S]*)>; \};$/.exec(toolDeclaration(entryOf('t', { outputSchema })))?.[1];
  assert.equal(outputOf(envelopeOf(undefined)), 'CallToolResult');
  assert.equal(outputOf(envelopeOf({})), 'CallToolResult');
  assert.equal(outputOf(envelopeOf(city)), 'CallToolResult<{ city: string; }>');
  const own = {
    $defs: { a: { type: 'null' } },
    properties: { a: { $ref: '#/$defs/a' }, b: { $ref: '#/properties/a' } },
  };
  assert.equal(outputOf(envelopeOf(own)), 'CallToolResult<{ a?: null; b?: null; }>');
  const { properties } = envelopeOf(city) as { properties: Record<string, unknown> };
  for (const missing of ['content', 'isError', '_meta']) {
    const less = { type: 'object', properties: { ...properties, [missing]: { type: 'string' } } };
    assert.equal(outputOf(less), schemaType(less), missing);
  }
});

test('reserved words are names as they are, and the compiler takes the calls', () => {
  const words = [
    'delete',
    'class',
    'await',
    'eval',
    'arguments',
    'enum',
    'let',
    'new',
    'constructor',
    'get',
    'set',
    'static',
  ];
  const names = [
    ...words,
    'readonly',
    'async',
    'in',
    '__proto__',
    'prototype',
    'then',
    '$',
    '_1',
    'yield',
    'import',
    'declare',
  ];
  const files = Object.fromEntries(
    names.map((name, at) => [
      `${at}.ts`,
      `${toolDeclaration(entryOf(name, { inputSchema: city }))}\nexport const r: Promise<unknown> = tools.${name}({ city: 'x' });\n`,
    ]),
  );
  assert.deepEqual([...complaints(files)], []);
  assert.equal(toolDeclaration(entryOf('class')).indexOf('class('), 'declare const tools: { '.length);
});

test('one broken schema among twenty is unknown, says why, and spoils no other', () => {
  const good = [
    ...[
      true,
      false,
      { type: ['string', 'null'] },
      { enum: [] },
      { const: { a: [1] } },
      { type: 'array', prefixItems: [true] },
    ],
    ...[{ type: 'array', items: [true] }, { allOf: [{ type: 'string' }, { type: 'number' }] }, city, { $ref: '#' }],
  ];
  const schemas = [...good, null, ...good.map((not) => ({ properties: { not } }))];
  const texts = schemas.map((schema, at) => toolDeclaration(entryOf(`t${at}`, { inputSchema: broken(schema) })));
  const odd = texts.filter((text) => text.includes('/*'));
  assert.deepEqual(odd, [
    'declare const tools: { t10(args: unknown /* a schema is an object or a boolean, this one is null */): Promise<unknown>; };',
  ]);
  assert.equal(texts.filter((text) => /args: (?!unknown)/.test(text)).length, 17);
});

test('the reason why a schema cannot be read stays inside its comment', () => {
  const throwing = (error: unknown): object =>
    Object.defineProperty({}, 'type', {
      enumerable: true,
      get: () => {
        throw error;
      },
    });
  const inputSchema = throwing(new Error('a */ b\n@ts-ignore'));
  const text = toolDeclaration(entryOf('t', { inputSchema, outputSchema: envelopeOf(throwing(null)) }));
  assert.match(
    text,
    /^[^\n]*args: unknown \/\* the schema cannot be read: a \*\\\/ b @ts-ignore \*\/\): Promise<CallToolResult<unknown \/\* the schema/,
  );
  assert.match(
    toolDeclaration(entryOf('t', { inputSchema: throwing({ toString: () => assert.fail() }) })),
    /cannot be shown/,
  );
  const getter = Object.defineProperty(entryOf('t').tool, 'inputSchema', { get: () => assert.fail('no schema') });
  const outer = toolDeclaration({ tool: getter, property: 't' });
  assert.match(outer, /unknown \/\* the schema cannot be read: no schema \*\//);
  assert.deepEqual(
    [...complaints({ 'a.ts': `${text}\nexport {};`, 'b.ts': `${outer}\nexport {};`, 'mcp.d.ts': mcpTypes })],
    [],
  );
});

test('a schema that is too long is shortened, and says so', () => {
  const properties = Object.fromEntries(
    Array.from({ length: 5_000 }, (_, at) => [`property${at}`, { type: 'string' }]),
  );
  const text = toolDeclaration(
    entryOf('t', { inputSchema: { properties: { a: { properties }, b: { type: 'null' } } } }),
  );
  assert.match(text, /args: \{ a\?: unknown; b\?: null; \} \/\* the schema takes more than 32768 characters/);
});
