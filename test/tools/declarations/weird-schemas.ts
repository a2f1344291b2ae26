import fc from 'fast-check';

// Schemas as nobody should write them, but somebody will.

const oddTexts = [
  ...[
    '',
    ' ',
    'a',
    'a-b',
    'new',
    'constructor',
    '__proto__',
    'toString',
    'readonly',
    'get',
    'class',
    '1a',
    'é',
    '𝒳',
    '用户',
  ],
  ...['*/', '/*', '//', '@ts-expect-error', ' @ts-ignore x', '/** @ts-expect-error', '`', '```', '"', "'", '\\'],
  ...[
    '\n',
    '\r',
    'a\rb: c',
    'a\r\nb',
    '\u2028x',
    'x\u2029y',
    '\0',
    '\u001b[31m',
    '\ud800',
    'x\udfffy',
    '\ufeff',
    '\u0085q',
  ],
  ...[
    'a | b',
    ' | ',
    '}',
    '{',
    ': string; }',
    '<<<<<<< a',
    '=======',
    '# sourceMappingURL=x',
    '/ <reference path="x" />',
  ],
];
const text = fc.oneof(
  fc.constantFrom(...oddTexts),
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.string({ maxLength: 8 }),
);
const name = fc.oneof({ weight: 3, arbitrary: fc.constantFrom('a', 'b', 'c', 'd') }, text);
const wrong = fc.constantFrom<unknown>(null, 0, 'x', [], {}, [null], undefined, Number.NaN, 5n, true, false);
const value = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  text,
  fc.constantFrom<unknown>(
    null,
    true,
    -0,
    1e21,
    5e-324,
    Number.NaN,
    Infinity,
    9n,
    () => 0,
    Symbol('s'),
    new Date(0),
    new Map(),
  ),
  fc.constantFrom<unknown>({ ['__proto__']: 1 }, JSON.parse('{"__proto__":{"a":1}}'), { 'a b': [1, { c: null }] }, [
    undefined,
  ]),
);
const pointer = fc.oneof(
  fc.constantFrom(
    '#',
    '#/$defs/a',
    '#/$defs/b',
    '#/properties/a',
    '#/anyOf/0',
    '#/$defs/a~1b',
    '#/$defs/%61',
    '#a',
    '',
  ),
  fc.constantFrom(
    'https://example.com/schema',
    '#/',
    '#/$defs',
    '#/$defs/a/properties/b',
    '#/__proto__',
    '#/$defs/toString',
  ),
);
const typeWord = fc.constantFrom('string', 'number', 'integer', 'boolean', 'null', 'array', 'object', 'weird', '');

/** One schema, nested a few levels, with definitions that it may lead to; members may be wrong at any place. */
export const weirdSchema: fc.Arbitrary<unknown> = fc.letrec<{ schema: unknown; root: unknown }>((tie) => {
  const schema = tie('schema');
  const or = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<unknown> =>
    fc.oneof({ weight: 15, arbitrary }, { weight: 1, arbitrary: wrong });
  const schemas = or(fc.array(schema, { minLength: 1, maxLength: 4 }));
  const named = or(fc.dictionary(name, schema, { minKeys: 1, maxKeys: 5, noNullPrototype: true }));
  const words = {
    type: or(fc.oneof(typeWord, fc.array(typeWord, { maxLength: 3 }))),
    properties: named,
    required: or(fc.array(name, { maxLength: 5 })),
    additionalProperties: or(schema),
    items: or(schema),
    prefixItems: schemas,
    anyOf: schemas,
    oneOf: schemas,
    allOf: schemas,
    enum: or(fc.array(value, { maxLength: 4 })),
    const: value,
    $ref: or(pointer),
    description: or(text),
  };
  const some = (...keys: readonly (keyof typeof words)[]): fc.Arbitrary<unknown> =>
    fc.record(Object.fromEntries(keys.map((key) => [key, words[key]])), { requiredKeys: keys.slice(0, 1) });
  return {
    schema: fc.oneof(
      { maxDepth: 5, depthSize: 'medium' },
      some('type', 'description'),
      some('enum', 'type', 'description'),
      some('const'),
      { weight: 2, arbitrary: some('$ref', 'properties', 'type', 'description') },
      { weight: 5, arbitrary: some('properties', 'required', 'additionalProperties', 'description') },
      { weight: 2, arbitrary: some('anyOf', 'type', 'description') },
      { weight: 2, arbitrary: some('allOf', 'oneOf', 'description') },
      { weight: 2, arbitrary: some('items', 'prefixItems', 'type', 'description') },
      { weight: 1, arbitrary: some('prefixItems') },
      { weight: 1, arbitrary: some('additionalProperties', 'type') },
      { weight: 1, arbitrary: fc.record(words, { requiredKeys: [] }) },
      { weight: 1, arbitrary: fc.oneof(fc.boolean(), wrong) },
    ),
    root: fc
      .tuple(schema, fc.record({ a: schema, b: schema, 'a/b': schema, '%61': schema }))
      .map(([root, $defs]) => (typeof root === 'object' && root !== null ? { ...root, $defs } : root)),
  };
}).root;
