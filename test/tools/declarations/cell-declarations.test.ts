import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cellDeclarations } from '../../../src/tools/declarations/index.js';
import type { Tool } from '../../../src/tools/tool.js';
import { complaints } from './compile.js';
import { entryOf, envelopeOf, realEntries } from './stored-schemas.js';
import { weirdSchema } from './weird-schemas.js';

const input = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] };
const output = { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] };
const declarations = cellDeclarations([
  entryOf('get-issue', { inputSchema: input, outputSchema: output }),
  entryOf('list', { inputSchema: { type: 'object', properties: { page: { type: 'number' } } } }),
  entryOf('mcp', { inputSchema: input, outputSchema: envelopeOf(output) }),
  entryOf('patch', { kind: 'freeform', inputSchema: true }),
  entryOf('new', { inputSchema: input }),
]);
const check = (cells: Readonly<Record<string, string>>): Map<string, string[]> =>
  complaints({ 'cell.d.ts': declarations, ...cells }, [
    '--allowJs',
    '--checkJs',
    '--module',
    'esnext',
    '--target',
    'es2023',
    '--moduleDetection',
    'force',
  ]);

test('a cell that uses everything it has compiles, as JavaScript and as TypeScript', () => {
  const cell = `
    const { title } = await tools.get_issue({ id: 'x' });
    text(title.toUpperCase());
    text();
    await tools.list();
    await tools.list({ page: 1 });
    const result = await tools.mcp({ id: 'x' });
    if (result.isError !== true) text(result.structuredContent?.title);
    content(result.content);
    for (const block of result.content) {
      if (block.type === 'image') image(block, 'low');
      else if (block.type === 'audio') audio(block);
      else content(block);
    }
    image('data:,');
    image({ image_url: 'data:,', detail: null }, null);
    audio({ audio_url: 'data:,' });
    generatedImage({ image_url: 'data:,', output_hint: 'x' });
    await tools.patch('*** x');
    await tools.new({ id: 'x' });
    notify({ a: 1 });
    store('key', [1]);
    const stored = load('key');
    text(stored[0].anything);
    clearTimeout(setTimeout(() => text('later'), 10));
    yield_control();
    for await (const one of as_settled([tools.list(), 5, Promise.resolve('x')])) {
      if (one.status === 'fulfilled') text(one.index + 1);
      else text(one.reason.message);
    }
    for await (const { index } of as_settled(new Map([['a', tools.patch('x')]]))) text(index.length);
    await stream_settled([tools.get_issue({ id: 'x' })], async (one) => {
      if (one.status === 'fulfilled') text(one.value.title);
    });
    await stream_settled(new Set([1]), text);
    text(ALL_TOOLS.filter(({ name, description }) => /issue/.test(name + description)).map(({ name }) => name));
    if (title === '') exit();
  `;
  assert.deepEqual([...check({ 'one.js': cell, 'two.ts': cell })], []);
});

test('what a cell does wrong is found', () => {
  const wrong = [
    'await tools.get_issue();',
    'await tools.get_issue({ id: 1 });',
    'await tools.get_issue({ id: "x", more: 1 });',
    'text((await tools.get_issue({ id: "x" })).titel);',
    'await tools.nope({});',
    'tools.list = () => Promise.resolve(1);',
    'await tools.patch({ input: "x" });',
    'image({ url: "data:," });',
    'image("data:,", "huge");',
    'console.log(1);',
    'await fetch("x");',
    'process.exit();',
    'new URL("x");',
    'content("x");',
    'setTimeout("x", 1);',
    'exit(); text(1).length;',
  ];
  const found = check(Object.fromEntries(wrong.map((cell, at) => [`${at}.ts`, `${cell}\n`])));
  assert.deepEqual(
    wrong.filter((_, at) => !found.has(`${at}.ts`)),
    [],
  );
  assert.equal(found.size, wrong.length);
});

test('the declarations of many real and odd tools compile as one file', () => {
  const seed = 7;
  const odd = fc
    .sample(weirdSchema, { seed, numRuns: 200 })
    .map((schema, at) =>
      entryOf(`odd${at}`, { inputSchema: schema as Tool['inputSchema'], outputSchema: schema as Tool['inputSchema'] }),
    );
  const descriptions = [
    '*/ }',
    '',
    ' \n ',
    'one\r\ntwo',
    '@ts-expect-error',
    'x\n@ts-expect-error',
    '\u2028*/',
    '\0',
    '/** @ts-ignore',
    '\ud800',
    '* @ts-ignore',
  ];
  const described = descriptions.map((description, at) => entryOf(`described${at}`, { description }));
  const text = cellDeclarations([...realEntries, ...odd, ...described]);
  assert.deepEqual([...complaints({ 'cell.d.ts': text })], [], `seed ${seed}`);
  assert.deepEqual([...complaints({ 'cell.d.ts': cellDeclarations([]) })], []);
});

test('a description is a comment in front of its tool', () => {
  const text = cellDeclarations([
    entryOf('one', { description: 'Ends */ here.' }),
    entryOf('two', { description: 'a\n\n b\n' }),
  ]);
  assert.ok(
    text.includes(
      '  /** Ends *\\/ here. */\n  readonly one: (args?: { [key: string]: unknown; }) => Promise<unknown>;\n',
    ),
  );
  assert.ok(text.includes('  /**\n   * a\n   * b\n   */\n  readonly two: '));
});
