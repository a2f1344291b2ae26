import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InputCheck } from '../../../src/tools/input/check.js';
import { realTools } from '../declarations/stored-schemas.js';

const object = (properties: object, more: object = {}): object => ({ type: 'object', properties, ...more });

/** The problems of an input that is no object as cells send them, too: the schemas are what is tested. */
const problems = async (schema: object | boolean, input: unknown): Promise<readonly string[]> =>
  (await new InputCheck(schema).fit(input as object)).problems;

const search = object(
  {
    query: { type: 'string' },
    limit: { type: 'integer', minimum: 1, maximum: 50 },
    filters: { type: 'array', items: object({ size: { type: 'integer', minimum: 1 } }) },
    mode: { enum: ['fast', 'slow'] },
  },
  { required: ['query'], additionalProperties: false },
);
const known = 'known are `query`, `limit`, `filters`, `mode`';

const kinds = object({
  v: {
    oneOf: [
      object({ kind: { const: 'a' }, n: { type: 'number' } }, { required: ['kind', 'n'] }),
      object({ kind: { const: 'b' }, s: { type: 'string' } }, { required: ['kind', 's'] }),
    ],
  },
});
const optional = object(
  { v: { anyOf: [{ $ref: '#/$defs/P' }, { type: 'null' }], default: null } },
  { $defs: { P: object({ a: { type: 'integer' } }, { required: ['a'] }) } },
);

const cases: readonly [schema: object | boolean, input: object, ...problems: string[]][] = [
  [search, { query: 'a', limit: 50, filters: [], mode: 'fast' }],
  [search, {}, '`query` is missing (expected a string)'],
  [search, { query: null }, '`query` must be a string, got null'],
  [search, { query: 'a', limit: 0 }, '`limit` must be an integer from 1 to 50, got 0'],
  [search, { query: 'a', limit: '5' }, '`limit` must be an integer from 1 to 50, got "5"'],
  [
    search,
    { query: 'a', filters: [{}, {}, { size: 'large' }] },
    '`filters[2].size` must be an integer of at least 1, got "large"',
  ],
  [search, { query: 'a', mode: 'quick' }, '`mode` must be "fast" or "slow", got "quick"'],
  [search, { query: 'a', limt: 5 }, `\`limt\` is not known; did you mean \`limit\`? ${known}`],
  [search, { query: 'a', 'x y': 5 }, `\`["x y"]\` is not known; ${known}`],
  [kinds, { v: { kind: 'a', n: 'x' } }, '`v.n` must be a number, got "x"'],
  [kinds, { v: { kind: 'b' } }, '`v.s` is missing (expected a string)'],
  [kinds, { v: { kind: 'c' } }, '`v.kind` must be "a" or "b", got "c"'],
  [kinds, { v: {} }, '`v.kind` is missing (expected "a" or "b")'],
  [kinds, { v: 5 }, '`v` must be an object, got 5'],
  [optional, { v: null }],
  [optional, { v: { a: '1' } }, '`v.a` must be an integer, got "1"'],
  [optional, { v: 's' }, '`v` must be an object or null, got "s"'],
  [
    object({ v: { oneOf: [{ type: 'number' }, { type: 'integer' }] } }),
    { v: 1 },
    '`v` must fit only one of its alternatives, but fits several: 1',
  ],
  [object({}, { anyOf: [{ required: ['a'] }, { required: ['b'] }] }), {}, '`a` is missing, or `b` is missing'],
  [object({}, { dependentRequired: { a: ['b'] } }), { a: 1 }, '`b` is missing, which `a` needs'],
  [object({}, { if: { required: ['a'] }, else: { required: ['b'] } }), { c: 1 }, '`b` is missing'],
  [{ type: 'object', minProperties: 2 }, { a: 1 }, 'the input must be an object of at least 2 properties, got {"a":1}'],
  [object({ v: { not: { const: 1 } } }), { v: 1 }, '`v` does not fit `not` ({"const":1}), got 1'],
  [
    object({ v: { type: 'array', uniqueItems: true } }),
    { v: [1, 1] },
    '`v` does not fit `uniqueItems` (true), got [1,1]',
  ],
  [object({ v: { pattern: '^[a-z]+$' } }), { v: 'A' }, '`v` must be a string that matches /^[a-z]+$/, got "A"'],
  [object({ v: { type: 'string', minLength: 1 } }), { v: '' }, '`v` must be a non-empty string, got ""'],
  [
    object({ v: { type: 'array', minItems: 1, maxItems: 3 } }),
    { v: [] },
    '`v` must be an array of 1 to 3 items, got []',
  ],
  [
    object({ v: { type: 'string', minLength: 2, maxLength: 2 } }),
    { v: 'x' },
    '`v` must be a string of exactly 2 characters, got "x"',
  ],
  [
    object({ v: { type: 'string', pattern: `^${'ab'.repeat(60)}$` } }),
    { v: 'x' },
    `\`v\` must be a string that matches /^${'ab'.repeat(49)}a…, got "x"`,
  ],
  [{ type: 'object', additionalProperties: { type: 'string' } }, { a: 1 }, '`a` must be a string, got 1'],
  [object({ 'a/b~c': { type: 'string' } }), { 'a/b~c': 1 }, '`["a/b~c"]` must be a string, got 1'],
  [object({ 'ü%#': { type: 'string' } }), { 'ü%#': 1 }, '`["ü%#"]` must be a string, got 1'],
  [
    object({ v: { type: 'array', prefixItems: [{ type: 'string' }], items: false } }),
    { v: ['a', 1] },
    '`v[1]` is one item too many',
  ],
  [false, {}, 'the input is not allowed'],
  [true, { a: 1 }],
  // Older drafts, with and without their name.
  [
    object({ v: { items: [{ type: 'string' }, { type: 'number' }], additionalItems: false } }),
    { v: [1, 2] },
    '`v[0]` must be a string, got 1',
  ],
  [object({ v: { minimum: 1, exclusiveMinimum: true } }), { v: 1 }, '`v` must be a number above 1, got 1'],
  [
    {
      $schema: 'http://json-schema.org/draft-07/schema#',
      definitions: { a: { type: 'string' } },
      ...object({ v: { $ref: '#/definitions/a' } }),
    },
    { v: 1 },
    '`v` must be a string, got 1',
  ],
  [
    {
      $schema: 'https://json-schema.org/draft/2019-09/schema',
      $recursiveAnchor: true,
      ...object({ v: { $recursiveRef: '#' }, n: { type: 'number' } }),
    },
    { v: { n: 'x' } },
    '`v.n` must be a number, got "x"',
  ],
  // What is not asserted, or not a keyword after all.
  [object({ v: { type: 'string', format: 'email' } }), { v: 'x' }],
  [object({ v: { type: 'any' }, w: { type: ['string', 'money'] } }, { required: 'v' }), { w: 1 }],
  [object({ v: { default: { $ref: '#/a' }, examples: [{ $ref: '#/b' }], 'x-c': { $ref: '#/c' } } }), { v: 1 }],
];

for (const [schema, input, ...expected] of cases) {
  test(`${JSON.stringify(input)} for ${JSON.stringify(schema).slice(0, 90)}: ${expected.join() || 'fits'}`, async () => {
    const check = new InputCheck(schema);
    assert.deepEqual((await check.fit(input)).problems, expected);
    assert.equal(check.unchecked, undefined);
  });
}

test('several problems are told together, each once', async () => {
  const input = { query: 1, limit: 'x', mode: 3, filters: [{ size: 0 }, { size: 0 }] };
  assert.deepEqual(await problems(search, input), [
    '`query` must be a string, got 1',
    '`limit` must be an integer from 1 to 50, got "x"',
    '`filters[0].size` must be an integer of at least 1, got 0',
    '`filters[1].size` must be an integer of at least 1, got 0',
    '`mode` must be "fast" or "slow", got 3',
  ]);
});

test('a null stands for nothing where it may be missing and not be null', async () => {
  const schema = object({ a: { type: 'string' }, n: { type: ['string', 'null'] }, any: {} }, { required: [] });
  const fitted = await new InputCheck(schema).fit({ a: null, n: null, any: null, other: null });
  assert.deepEqual(fitted, { input: { n: null, any: null, other: null }, problems: [] });
  const nested = object({ o: object({ a: { type: 'string' } }) });
  assert.deepEqual(await problems(nested, { o: { a: null } }), ['`o.a` must be a string, got null']);
});

test('an input is otherwise the one that came, and undefined is as good as missing', async () => {
  const input = { query: 'a' };
  assert.equal((await new InputCheck(search).fit(input)).input, input);
  const fitted = await new InputCheck(search).fit({ query: 'a', limit: undefined });
  assert.deepEqual(fitted, { input: { query: 'a' }, problems: [] });
});

test('a property called __proto__ is one like any other', async () => {
  const parsed = (text: string) => JSON.parse(text) as object;
  const schema = object(parsed('{"__proto__":{"type":"string"}}'), {
    required: ['__proto__'],
    additionalProperties: false,
  });
  assert.deepEqual(await problems(schema, parsed('{"__proto__":"x"}')), []);
  assert.deepEqual(await problems(schema, parsed('{"__proto__":1}')), ['`__proto__` must be a string, got 1']);
  assert.deepEqual(await problems(schema, {}), ['`__proto__` is missing (expected a string)']);
});

const unusable: readonly [schema: object, reason: RegExp][] = [
  [object({ v: { $ref: '#/nope' } }), /^`\$ref: #\/nope` leads nowhere that is known here$/],
  [object({ v: { $ref: 'https://example.com/schema' } }), /leads nowhere/],
  [{ $ref: '#' }, /^`\$ref: #` leads back to itself$/],
  [{ $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } }, $ref: '#/$defs/a' }, /leads back to itself/],
  [{ allOf: [{ $ref: '#' }] }, /^it refers to itself without end$/],
  [object({ v: { pattern: '(' } }), /^`\(` is no regular expression$/],
  [
    { $schema: 'https://example.com/draft', required: ['a'] },
    /^its draft is not known: "https:\/\/example\.com\/draft"$/,
  ],
  [{ properties: { v: null } }, /^a part of it is null, not a schema$/],
  [Array.from({ length: 300 }).reduce<object>((inner) => object({ v: inner }), {}), /deeper than 200 levels/],
  [
    (() => {
      const loop: { properties?: object } = {};
      loop.properties = { loop };
      return loop;
    })(),
    /deeper than 200/,
  ],
  [
    object(Object.fromEntries(Array.from({ length: 30_000 }, (_, index) => [`p${index}`, {}]))),
    /more than 20000 parts/,
  ],
];

for (const [schema, reason] of unusable) {
  test(`a schema that cannot be used checks nothing, and says why: ${reason.source.slice(0, 60)}`, async () => {
    const check = new InputCheck(schema);
    const input = { v: 1, loop: {} };
    assert.deepEqual(await check.fit(input), { input, problems: [] });
    assert.match(check.unchecked ?? '', reason);
    assert.deepEqual(await check.fit(input), { input, problems: [] });
  });
}

/** Nested objects, the innermost one last. */
const nested = (levels: number, inner: object = {}): object => {
  let value = inner;
  for (let level = 0; level < levels; level += 1) value = { next: value };
  return value;
};
const list = { $defs: { n: object({ next: { $ref: '#/$defs/n' }, v: { type: 'number' } }) }, $ref: '#/$defs/n' };

test('an input of 10,000 levels is survived, with any schema, and the next one is checked', async () => {
  for (const schema of [list, search, object({ next: { const: {} } }), object({ next: { uniqueItems: true } })]) {
    const check = new InputCheck(schema);
    await check.fit(nested(10_000));
    await check.fit({ query: nested(10_000), next: [nested(10_000), nested(10_000)] });
    assert.equal(check.unchecked, undefined);
  }
  const check = new InputCheck(list);
  await check.fit(nested(10_000));
  assert.deepEqual((await check.fit(nested(2, { v: 'x' }))).problems, ['`next.next.v` must be a number, got "x"']);
});

test('a check that would take for ever is given up, and the call is let through', async () => {
  const branch = (need: string): object => object({ next: { $ref: '#/$defs/n' } }, { required: [need] });
  const check = new InputCheck({ $defs: { n: { anyOf: [branch('a'), branch('b')] } }, $ref: '#/$defs/n' });
  assert.deepEqual((await check.fit(nested(64))).problems, []);
  assert.equal((await check.fit(nested(3))).problems.length, 1);
});

test('a cell cannot make a pattern of a schema run for ever', async () => {
  const slow = object({ v: { pattern: '^(a+)+$' }, w: { type: 'string', pattern: '^a*a*a*a*a*b$' } });
  const text = `${'a'.repeat(50)}!`;
  assert.deepEqual(await problems(slow, { v: text, w: text }), []);
  const names = { type: 'object', patternProperties: { '^(a+)+$': { type: 'number' } }, additionalProperties: false };
  assert.deepEqual(await problems(names, { [text]: 'x' }), []);
  const long = object({ v: { pattern: '^a*a*a*$' }, w: { type: 'number' } });
  assert.deepEqual(await problems(long, { v: `${'a'.repeat(1_000_000)}!`, w: 'x' }), ['`w` must be a number, got "x"']);
});

test('big inputs are checked up to their first problem', async () => {
  const schema = object({ v: { type: 'array', uniqueItems: true, items: { type: 'integer' } } });
  const numbers = Array.from({ length: 50_000 }, (_, index) => index);
  assert.deepEqual(await problems(schema, { v: numbers }), []);
  assert.deepEqual(await problems(schema, { v: [...numbers, ...numbers.map(String)] }), [
    '`v[50000]` must be an integer, got "0"',
  ]);
});

test('values are shown short', async () => {
  const schema = object({ v: { type: 'integer' } });
  const [text = ''] = await problems(schema, { v: 'x'.repeat(1_000_000) });
  assert.ok(text.startsWith('`v` must be an integer, got "xxx') && text.length < 120, text);
  assert.deepEqual(await problems(schema, { v: { a: { b: { c: { d: 1 } } }, e: [1, 2, 3, 4, 5, 6, 7] } }), [
    '`v` must be an integer, got {"a":{"b":{…}},"e":[1,2,3,4,5,…]}',
  ]);
});

test('what is no JSON, and a name that is no text, are refused', async () => {
  assert.deepEqual(await problems(search, { query: 'a', limit: 1n }), ['the input holds something that is not JSON']);
  assert.deepEqual(await problems(search, { query: 'a', '\ud800': 1 }), ['a property name is not well-formed Unicode']);
});

test('a schema is neither changed nor has to be changeable', async () => {
  const frozen = Object.freeze({ type: 'object', properties: Object.freeze({ v: Object.freeze({ type: 'number' }) }) });
  assert.deepEqual(await problems(frozen, { v: 'x' }), ['`v` must be a number, got "x"']);
  const schema = object({ v: { $ref: '#/$defs/a' } }, { $defs: { a: { type: 'string' } } });
  const before = JSON.stringify(schema);
  await problems(schema, { v: 1 });
  assert.equal(JSON.stringify(schema), before);
  assert.deepEqual(Object.getOwnPropertyNames(schema), ['type', 'properties', '$defs']);
});

test('the schemas of real servers can all be used', async () => {
  assert.ok(realTools.length >= 300, String(realTools.length));
  for (const { server, tool, input } of realTools) {
    const check = new InputCheck(input);
    const { problems } = await check.fit({});
    const { required = [] } = input as { required?: readonly string[] };
    assert.equal(check.unchecked, undefined, `${server} ${tool}`);
    if (required.length > 0) assert.ok(problems.length >= required.length, `${server} ${tool}: ${problems.join()}`);
  }
});

test('where null is as good as a value, it is let through', async () => {
  const string = { type: 'string', nullable: true };
  const schema = object(
    {
      a: string,
      e: { enum: ['x'], nullable: true },
      u: { anyOf: [{ type: 'number' }, { type: 'string' }], nullable: true },
      o: { oneOf: [{ type: 'number' }], nullable: true },
      r: { $ref: '#/$defs/r', nullable: true },
      c: { const: 1, nullable: true },
      list: { type: 'array', items: string },
    },
    { required: ['a'], $defs: { r: object({ x: string }) } },
  );
  const input = { a: null, e: null, u: null, o: null, r: { x: null }, c: null, list: [null, 'x'] };
  const check = new InputCheck(schema);
  assert.deepEqual(await check.fit(input), { input, problems: [] });
  assert.deepEqual(await problems(schema, { ...input, r: null }), []);
  assert.equal(check.unchecked, undefined);
  assert.deepEqual(await problems(schema, { a: 1, r: { x: 1 }, u: true }), [
    '`a` must be a string or null, got 1',
    '`u` must be a number, a string or null, got true',
    '`r.x` must be a string or null, got 1',
  ]);
  assert.deepEqual(
    await problems(object({ a: { type: 'string', nullable: false } }, { required: ['a'] }), { a: null }),
    ['`a` must be a string, got null'],
  );
});

test('of a big input one problem is told, though all of it is wrong', async () => {
  const schema = { type: 'object', additionalProperties: { type: 'string' } };
  const input = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`k${at}`, at]));
  assert.deepEqual(await problems(schema, input), ['`k0` must be a string, got 0']);
});

test('the work of a check has a bound: what is too wide is let through', async () => {
  const wide = Object.fromEntries(Array.from({ length: 200_001 }, (_, at) => [`k${at}`, at]));
  assert.deepEqual(await problems({ type: 'object', additionalProperties: { type: 'string' } }, wide), []);
  const many = Array.from({ length: 20_000 }, (_, at) => ({ at }));
  assert.deepEqual(await problems(object({ v: { enum: many } }), { v: { at: -1 } }), []);
  assert.deepEqual(await problems(object({ v: { const: many } }), { v: 1 }), []);
  // Each of these values is compared with 5,000 others.
  const values = Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`k${at}`, -1]));
  assert.deepEqual(await problems({ additionalProperties: { enum: many.slice(0, 5_000) } }, values), []);
});

test('each input has the whole bound for itself', async () => {
  const branch = (need: string): object => object({ next: { $ref: '#/$defs/n' } }, { required: [need] });
  const check = new InputCheck({ $defs: { n: { anyOf: [branch('a'), branch('b')] } }, $ref: '#/$defs/n' });
  for (let time = 0; time < 40; time += 1) assert.ok((await check.fit(nested(11))).problems.length > 0, String(time));
});

test('what takes too long once is checked again the next time', async () => {
  const check = new InputCheck(object({ v: { type: 'array', items: { type: 'integer' } } }));
  const numbers = Array.from({ length: 250_000 }, (_, at) => at);
  assert.deepEqual((await check.fit({ v: [...numbers, 'x'] })).problems, []);
  assert.equal(check.unchecked, undefined);
  assert.deepEqual((await check.fit({ v: ['x'] })).problems, ['`v[0]` must be an integer, got "x"']);
});

test('a thousand required names are told once', async () => {
  const required = Array.from({ length: 1_000 }, (_, at) => `r${at}`);
  const found = await problems(object({}, { required }), {});
  assert.deepEqual([found.length, found[0], found[999]], [1_000, '`r0` is missing', '`r999` is missing']);
});

test('a schema that throws when it is read checks nothing', async () => {
  const schema = {
    get properties(): never {
      throw new Error('not today');
    },
  };
  const check = new InputCheck(schema);
  assert.deepEqual(await check.fit({ a: 1 }), { input: { a: 1 }, problems: [] });
  assert.equal(check.unchecked, 'not today');
});
