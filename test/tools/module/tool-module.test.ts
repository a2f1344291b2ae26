import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toolsOfModule } from '../../../src/tools/module/tool-module.js';

const good = { description: 'Echoes.', inputSchema: { type: 'object' }, handler: (input: unknown) => input };

/** A module with one tool `t` that has this defect: the field that is named, and the text. */
const defects: readonly [Record<string, unknown>, string, string][] = [
  [{ description: undefined }, 'description', 'a.js: tool "t": description must be a non-empty string, got nothing'],
  [{ description: ' ' }, 'description', 'a.js: tool "t": description must be a non-empty string, got a string'],
  [
    { inputSchema: undefined },
    'inputSchema',
    'a.js: tool "t": inputSchema must be a JSON Schema (an object or a boolean), got nothing',
  ],
  [
    { inputSchema: null },
    'inputSchema',
    'a.js: tool "t": inputSchema must be a JSON Schema (an object or a boolean), got null',
  ],
  [
    { inputSchema: [] },
    'inputSchema',
    'a.js: tool "t": inputSchema must be a JSON Schema (an object or a boolean), got an array',
  ],
  [
    { outputSchema: 'x' },
    'outputSchema',
    'a.js: tool "t": outputSchema must be a JSON Schema (an object or a boolean), got a string',
  ],
  [{ kind: 'custom' }, 'kind', 'a.js: tool "t": kind must be "function" or "freeform", got "custom"'],
  [{ kind: 3 }, 'kind', 'a.js: tool "t": kind must be "function" or "freeform", got a number'],
  [{ handler: undefined }, 'handler', 'a.js: tool "t": handler must be a function, got nothing'],
  [
    { input_schema: {} },
    'input_schema',
    'a.js: tool "t": input_schema is not known; known are description, inputSchema, outputSchema, kind, group, handler',
  ],
];

for (const [defect, field, message] of defects) {
  test(`a defect is named by file, tool and field: ${JSON.stringify(Object.entries(defect))}`, () => {
    assert.throws(() => toolsOfModule({ tools: { t: { ...good, ...defect } } }, 'a.js'), {
      code: 'invalid-argument',
      message,
      data: { file: 'a.js', tool: 't', field },
    });
  });
}

test('a tool that is no object is named', () => {
  for (const [value, shown] of [
    [null, 'null'],
    [[], 'an array'],
    [() => {}, 'a function'],
    ['x', 'a string'],
  ] as const) {
    assert.throws(() => toolsOfModule({ tools: { t: value } }, 'a.js'), {
      message: `a.js: tool "t" must be an object, got ${shown}`,
    });
  }
});

test('an empty name is refused', () => {
  assert.throws(() => toolsOfModule({ tools: { '': good } }, 'a.js'), { code: 'invalid-argument' });
});

test('a module without tools says what it should export', () => {
  for (const module of [{}, { tools: 3 }, { default: null }, { tools: [good] }]) {
    assert.throws(() => toolsOfModule(module, 'a.js'), {
      code: 'invalid-argument',
      message: /^a\.js: must export an object named `tools`/,
    });
  }
});

test('tools come from `tools`, from a default export, or from the `tools` of a CommonJS module', () => {
  for (const module of [{ tools: { t: good } }, { default: { t: good } }, { default: { tools: { t: good } } }]) {
    assert.deepEqual(
      toolsOfModule(module, 'a.js').map(({ name, kind }) => [name, kind]),
      [['t', 'function']],
    );
  }
});

test('a tool that is itself called tools is one', () => {
  assert.deepEqual(
    toolsOfModule({ default: { tools: good } }, 'a.js').map(({ name }) => name),
    ['tools'],
  );
});

test('boolean schemas are schemas', () => {
  const [tool] = toolsOfModule({ tools: { t: { ...good, inputSchema: true, outputSchema: false } } }, 'a.js');
  assert.deepEqual([tool?.inputSchema, tool?.outputSchema], [true, false]);
});

test('a handler keeps its object', () => {
  const counter = {
    ...good,
    description: 'd',
    handler() {
      return this.description;
    },
  };
  const [tool] = toolsOfModule({ tools: { t: counter } }, 'a.js');
  const context = { signal: AbortSignal.abort(), cellId: '1', callId: 'tool-1' };
  assert.equal(tool?.handler({}, context), 'd');
});

test('a tool of a module may belong to a group', () => {
  const [tool] = toolsOfModule({ tools: { t: { ...good, group: { name: 'g', description: 'About g.' } } } }, 'a.js');
  assert.deepEqual(tool?.group, { name: 'g', description: 'About g.' });
  for (const group of [3, {}, { name: '' }, { name: 'g', description: 3 }]) {
    assert.throws(() => toolsOfModule({ tools: { t: { ...good, group } } }, 'a.js'), {
      code: 'invalid-argument',
      message: /^a\.js: tool "t": group must be an object with a name/,
    });
  }
});
