import assert from 'node:assert/strict';
import { test } from 'node:test';
import { schemaType } from '../../../src/tools/declarations/index.js';
import { MAX_TYPE_LENGTH } from '../../../src/tools/declarations/limits.js';
import { realTools, renderVectors } from './stored-schemas.js';

const object = (properties: object, more: object = {}): object => ({ type: 'object', properties, ...more });

test('the reference dialect says byte for byte what the reference says', () => {
  assert.equal(renderVectors.length, 22);
  for (const { name, schema, typescript } of renderVectors) {
    assert.equal(schemaType(schema, { dialect: 'reference' }), typescript, name);
  }
});

test('the safe dialect says the same, but for an index signature that does not compile, and the flag of OpenAPI', () => {
  for (const { name, schema, typescript } of renderVectors) {
    const expected = typescript
      .replace(name === 'o_desc' ? '[key: string]: number;' : /$^/, '[key: string]: unknown;')
      .replace('nullable?: string;', 'nullable?: string | null;')
      .replace('  n?: { a: string; };', '  n?: { a: string; } | null;');
    assert.equal(schemaType(schema), expected, name);
  }
});

test('the order of keys does not matter', () => {
  const reversed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(reversed);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .reverse()
        .map(([key, item]) => [key, reversed(item)]),
    );
  };
  for (const { schema } of renderVectors) assert.equal(schemaType(reversed(schema)), schemaType(schema));
  for (const { input, output } of realTools) {
    for (const schema of [input, output]) assert.equal(schemaType(reversed(schema)), schemaType(schema));
  }
});

test('property names are in the order of code points', () => {
  const names = ['\u{1f600}', '\uffee', 'b', 'B', '', '\ud7ff', '\ue000'];
  const text = schemaType(object(Object.fromEntries(names.map((name) => [name, true]))));
  const found = [...text.matchAll(/(?:"([^"]*)"|(\w+))\?: unknown/g)].map(([, quoted, plain]) => quoted ?? plain);
  assert.deepEqual(found, ['', 'B', 'b', '\ud7ff', '\ue000', '\uffee', '\u{1f600}']);
});

test('a recursive schema goes round twice and is unknown then', () => {
  const schema = { $defs: { n: object({ next: { $ref: '#/$defs/n', description: 'x' } }) }, $ref: '#/$defs/n' };
  assert.equal(schemaType(schema, { comments: false }), '{ next?: { next?: unknown; }; }');
  assert.equal(schemaType(schema), '{\n  // x\n  next?: {\n  // x\n  next?: unknown;\n};\n}');
  assert.equal(schemaType({ $ref: '#' }), 'unknown');
  const a = { $ref: '#/$defs/b' };
  assert.equal(schemaType({ $defs: { a, b: { $ref: '#/$defs/a' } }, $ref: '#/$defs/a' }), 'unknown');
});

test('a reference leads to places in the schema only', () => {
  const $defs = {
    'a/b': { type: 'string' },
    'c~d': { type: 'null' },
    'e f': { type: 'boolean' },
    list: [true, { type: 'number' }],
  };
  const typeOf = ($ref: unknown): string => schemaType({ $defs, $ref });
  assert.equal(typeOf('#/$defs/a~1b'), 'string');
  assert.equal(typeOf('#/$defs/c~0d'), 'null');
  assert.equal(typeOf('#/$defs/e f'), 'boolean');
  assert.equal(typeOf('#/$defs/list/1'), 'number');
  for (const place of [
    '#/$defs/e%20f',
    '#/$defs/none',
    '#/$defs/list/01',
    '#/$defs/list/length',
    '#/toString',
    '#x',
    '',
    'b.json',
  ]) {
    assert.equal(typeOf(place), 'unknown', place);
  }
  assert.equal(typeOf('https://example.com/schema.json'), 'unknown');
  assert.equal(schemaType({ $ref: 'https://example.com/s', type: 'string' }), 'string');
});

test('references that double at each step are cut, and the text stays short', () => {
  const $defs = Object.fromEntries(
    Array.from({ length: 60 }, (_, at) => [
      `d${at}`,
      object({ l: { $ref: `#/$defs/d${at + 1}` }, r: { $ref: `#/$defs/d${at + 1}` } }),
    ]),
  );
  const text = schemaType({ $defs, ...object({ first: { $ref: '#/$defs/d0' }, name: { type: 'string' } }) });
  assert.ok(text.length <= MAX_TYPE_LENGTH, `${text.length}`);
  assert.match(text, /^\{ first\?: \{ l\?: \{ l\?: .* name\?: string; \}$/);
  // The same without a word of text on the way.
  const empty = Object.fromEntries(
    Array.from({ length: 60 }, (_, at) => [
      `d${at}`,
      { allOf: [{ $ref: `#/$defs/d${at + 1}` }, { $ref: `#/$defs/d${at + 1}` }] },
    ]),
  );
  assert.ok(schemaType({ $defs: empty, $ref: '#/$defs/d0' }).length <= MAX_TYPE_LENGTH);
});

test('deep schemas end in unknown, however deep they are', () => {
  const deep = (levels: number, wrap: (inner: unknown) => unknown): unknown => {
    let schema: unknown = { type: 'string' };
    for (let level = 0; level < levels; level += 1) schema = wrap(schema);
    return schema;
  };
  const wraps = [
    (inner: unknown) => object({ a: inner as object }),
    (items: unknown) => ({ type: 'array', items }),
    (inner: unknown) => ({ anyOf: [inner, { type: 'null' }] }),
    (inner: unknown) => ({ allOf: [inner] }),
    (inner: unknown) => ({ additionalProperties: inner }),
  ];
  for (const wrap of wraps) {
    assert.match(schemaType(deep(50, wrap)), /string/);
    for (const levels of [200, 10_000]) assert.match(schemaType(deep(levels, wrap)), /unknown/);
    assert.ok(schemaType(deep(10_000, wrap)).length < 3_000);
  }
  const value = deep(10_000, (inner) => [inner]);
  assert.equal(schemaType({ const: value }), 'unknown');
  assert.equal(schemaType({ enum: [1, value] }), '1 | unknown');
  const chain = Object.fromEntries(
    Array.from({ length: 10_000 }, (_, at) => [`d${at}`, { $ref: `#/$defs/d${at + 1}` }]),
  );
  assert.equal(schemaType({ $defs: chain, $ref: '#/$defs/d0' }), 'unknown');
});

test('an object inside itself is unknown there', () => {
  const schema: Record<string, unknown> = { type: 'object' };
  const shared = { type: 'string' };
  schema.properties = { self: schema, list: { type: 'array', items: schema }, one: shared, two: shared };
  assert.equal(schemaType(schema), '{ list?: Array<unknown>; one?: string; self?: unknown; two?: string; }');
  const value: unknown[] = [1];
  value.push(value);
  assert.equal(schemaType({ const: value }), 'unknown');
});

test('a schema that cannot be read is unknown', () => {
  const trap = new Proxy({}, { getOwnPropertyDescriptor: () => assert.fail('no'), get: () => assert.fail('no') });
  const getter = Object.defineProperty({}, 'type', { enumerable: true, get: () => assert.fail('no') });
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  for (const schema of [trap, getter, proxy, object({ a: trap }), { const: getter }, { enum: [proxy] }]) {
    assert.equal(schemaType(schema), 'unknown');
  }
  for (const schema of [null, undefined, 0, 'string', [], [{ type: 'string' }], () => 0, Symbol('s'), 5n]) {
    assert.equal(schemaType(schema), 'unknown');
  }
});

test('constants are JSON, and unknown where JSON has no word for them', () => {
  const typeOf = (value: unknown): string => schemaType({ const: value });
  assert.equal(typeOf(-0), '0');
  assert.equal(typeOf(Number.NaN), 'null');
  assert.equal(typeOf(-1.5e300), '-1.5e+300');
  assert.equal(
    typeOf({ a: undefined, b: [undefined, () => 0], c: { 'd e': '\u2028"' } }),
    '{"b":[null,null],"c":{"d e":"\\u2028\\""}}',
  );
  assert.equal(typeOf(JSON.parse('{"__proto__":1}')), '{"__proto__":1}');
  for (const value of [1n, [1n], Symbol('s'), () => 0]) assert.equal(typeOf(value), 'unknown');
  assert.equal(typeOf('x'.repeat(100_000)), 'unknown');
});

test('an enumeration that is too long becomes the types of its values', () => {
  const values = Array.from({ length: 10_000 }, (_, at) => `value ${at}`);
  assert.equal(schemaType({ enum: values }), 'string');
  assert.equal(
    schemaType({ enum: [...values, 1, null, true, {}, [], 5n] }),
    'string | number | null | boolean | { [key: string]: unknown; } | unknown[] | unknown',
  );
  assert.match(schemaType({ enum: values.slice(0, 1000) }), /^"value 0" \| "value 1" .* "value 999"$/);
});

test('a schema that is too long loses its comments first, then its depth', () => {
  const wide = (depth: number): object =>
    object(
      Object.fromEntries(
        Array.from({ length: 12 }, (_, at) => [`property_${at}`, depth === 0 ? { type: 'string' } : wide(depth - 1)]),
      ),
    );
  const commented = object({ a: { type: 'string', description: 'x'.repeat(40_000) }, b: wide(1) });
  assert.match(schemaType(commented), /^\{ a\?: string; b\?: \{ property_0\?: \{ property_0\?: string;/);
  const text = schemaType(wide(4));
  assert.ok(text.length <= MAX_TYPE_LENGTH);
  assert.match(text, /property_9\?: \{ property_0\?: unknown;/);
  const flat = object(Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`p${at}`, true])));
  assert.equal(schemaType(flat), 'unknown');
});

test('an index signature stays where it surely covers every property', () => {
  const typeOf = (properties: object, additionalProperties: unknown, required: readonly string[]): string =>
    schemaType(object(properties, { additionalProperties, required }));
  const string = { type: 'string' };
  assert.match(typeOf({ a: string }, string, ['a']), /key: string\]: string;/);
  assert.match(typeOf({ a: { enum: ['x', 'y'] } }, string, ['a']), /key: string\]: string;/);
  assert.match(typeOf({ a: { const: 1 } }, { type: ['string', 'number'] }, ['a']), /key: string\]: string \| number;/);
  assert.match(typeOf({ a: false }, string, ['a']), /key: string\]: string;/);
  assert.match(typeOf({ a: string }, true, []), /key: string\]: unknown;/);
  assert.match(typeOf({ a: string }, string, []), /key: string\]: unknown;/, 'an optional property may be undefined');
  assert.match(typeOf({ a: string }, { type: 'number' }, ['a']), /key: string\]: unknown;/);
  assert.match(typeOf({ a: { const: 'a" | "b' } }, { enum: ['a', 'b'] }, ['a']), /key: string\]: unknown;/);
});

test('a description stays inside its comment', () => {
  const text = schemaType(
    object({
      a: { description: 'one\rtwo: 1;\u2028three\u2029four\r\n\n five ', type: 'string' },
      b: { description: '@ts-expect-error x' },
    }),
  );
  assert.equal(
    text,
    '{\n  // one\n  // two: 1;\n  // three\n  // four\n  // five\n  a?: string;\n  // > @ts-expect-error x\n  b?: unknown;\n}',
  );
});

test('unions that multiply beyond what the compiler takes are unknown', () => {
  const choice = (prefix: string): object => ({
    anyOf: Array.from({ length: 25 }, (_, at) => object({ [`${prefix}${at}`]: true })),
  });
  assert.match(schemaType({ allOf: [choice('a'), choice('b')] }), / & /);
  assert.equal(schemaType({ allOf: [choice('a'), choice('b'), choice('c')] }), 'unknown');
});

test('what is nullable in the words of OpenAPI may be null, once', () => {
  const ref = { $defs: { a: { type: 'string' } }, $ref: '#/$defs/a', nullable: true };
  for (const [schema, type] of [
    [{ type: 'string', nullable: true }, 'string | null'],
    [{ type: 'array', items: { type: 'number', nullable: true } }, 'Array<number | null>'],
    [{ enum: ['a', null], nullable: true }, '"a" | null'],
    [{ type: 'string', nullable: false }, 'string'],
    [{ nullable: true }, 'unknown'],
    [ref, 'string | null'],
  ] as const) {
    assert.equal(schemaType(schema), type);
  }
  assert.equal(schemaType(ref, { dialect: 'reference' }), 'string');
});
