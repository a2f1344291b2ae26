import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { loadTools } from '../../../src/tools/module/load-tools.js';

const tool = '{ description: "d", inputSchema: {}, handler: () => 1 }';
let cwd = '';

before(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'codemode tools #1 '));
  const files = {
    'one.mjs': `export const tools = { a: ${tool}, b: ${tool} };`,
    'two.mjs': `export default { c: ${tool} };`,
    'again.mjs': `export const tools = { b: ${tool} };`,
    'common.cjs': `module.exports = { tools: { d: ${tool} } };`,
    'throws.mjs': 'throw new TypeError("no database");',
    'broken.mjs': 'export const tools = {',
    'share.mjs': 'throw new Error("cannot reach file://server/share:80 now");',
    'parse.mjs': 'throw new SyntaxError("no JSON at file://server/share:80");',
    'frame.mjs': 'throw new Error("lost:\\n    at file://server/share:80");',
    'no-stack.mjs': `const error = new Error("odd");
      error.stack = "file:///x:1\\nError: odd";
      throw error;`,
    'stuck.mjs': `await new Promise(() => {}); export const tools = { a: ${tool} };`,
    'throws-null.mjs': 'throw null;',
    'throws-odd.mjs': 'throw { toString: null };',
    'throws-proxy.mjs': 'throw new Proxy(new Error(), { getPrototypeOf() { throw 1 } });',
    'getter.mjs': 'export const tools = { get a() { throw new Error("no a") } };',
    'field.mjs': `export const tools = { a: { ...${tool}, get kind() { throw new Error("no kind") } } };`,
    'keys.mjs': 'export const tools = new Proxy({}, { ownKeys() { throw { toString: null } } });',
    'revoked.mjs': 'const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); export const tools = { a: proxy };',
    'then.mjs': 'export function then(resolve) { resolve(undefined); }',
    'bind.mjs': `export const tools = { a: { description: "d", inputSchema: {},
      handler: new Proxy(() => 7, { get() { throw new Error("bind"); } }) } };`,
    'data.json': '{}',
    'style.css': '',
    'no-export.mjs': 'import { zz } from "./one.mjs";',
    'no-file.mjs': 'import "./nope.mjs";',
    'deep.mjs': 'import "./throws.mjs";',
    'typed.ts': `import { name } from './name.ts';\nexport const tools: Record<string, unknown> = { [name]: ${tool} };`,
    'name.ts': "export const name: string = 'a';",
    'bad.mjs': 'export const tools = { a: { description: "d" } };',
  };
  for (const [name, content] of Object.entries(files)) await writeFile(join(cwd, name), content);
});
after(() => rm(cwd, { recursive: true }));

test('paths are relative to the folder given, whatever characters it contains', async () => {
  const tools = await loadTools(['one.mjs', './two.mjs', 'common.cjs', join(cwd, 'two.mjs')].slice(0, 3), { cwd });
  assert.deepEqual(
    tools.map(({ name }) => name),
    ['a', 'b', 'c', 'd'],
  );
});

test('no files make no tools', async () => {
  assert.deepEqual(await loadTools([], { cwd }), []);
});

test('a name that two files define is refused, with both files', async () => {
  await assert.rejects(loadTools(['one.mjs', 'again.mjs'], { cwd }), {
    code: 'invalid-argument',
    message: 'again.mjs: tool "b" is already defined in one.mjs',
  });
});

test('a module that throws is reported with its own words', async () => {
  await assert.rejects(loadTools(['throws.mjs'], { cwd }), {
    code: 'invalid-argument',
    message: 'throws.mjs: cannot be loaded: TypeError: no database (line 1, column 7)',
  });
});

test('the message of what is thrown may name files, which are not where it was thrown', async () => {
  for (const [file, said] of [
    ['share.mjs', 'Error: cannot reach file://server/share:80 now (line 1, column 7)'],
    ['parse.mjs', 'SyntaxError: no JSON at file://server/share:80 (line 1, column 7)'],
    ['frame.mjs', 'Error: lost:\n    at file://server/share:80 (file://server/share:80)'],
    ['no-stack.mjs', 'Error: odd'],
  ]) {
    await assert.rejects(loadTools([`${file}`], { cwd }), {
      code: 'invalid-argument',
      message: `${file}: cannot be loaded: ${said}`,
    });
  }
});

test('a module with a syntax error, and one that is not there, are reported by the name the user gave', async () => {
  await assert.rejects(loadTools(['broken.mjs'], { cwd }), {
    message: /^broken\.mjs: cannot be loaded: SyntaxError: .* \(`node broken\.mjs` shows where\)$/,
  });
  await assert.rejects(loadTools(['nowhere.mjs'], { cwd }), {
    message: `nowhere.mjs: cannot be loaded: no such file (it was looked for at ${join(cwd, 'nowhere.mjs')})`,
  });
  const whole = join(cwd, 'nowhere.mjs');
  await assert.rejects(loadTools([whole], { cwd }), { message: `${whole}: cannot be loaded: no such file` });
});

test('a folder, data, and a module that imports what is not there are told in words', async () => {
  for (const [file, problem] of [
    ['.', 'is a directory'],
    ['data.json', 'is no JavaScript module (.js, .mjs or .cjs)'],
    ['style.css', 'is no JavaScript module (.js, .mjs or .cjs)'],
    ['no-export.mjs', /^SyntaxError: .* does not provide an export named 'zz' \(line 1\)$/],
    ['no-file.mjs', /^Error: Cannot find module '.*nope\.mjs'/],
    ['deep.mjs', /^TypeError: no database \(.*throws\.mjs:1:7\)$/],
  ] as const) {
    await assert.rejects(loadTools([file], { cwd }), ({ message }: Error) => {
      const said = message.replace(`${file}: cannot be loaded: `, '');
      if (typeof problem === 'string') assert.equal(said, problem);
      else assert.match(said, problem);
      return true;
    });
  }
});

test('a module in TypeScript is loaded by a Node that runs it, and any other says which one does', async () => {
  const loading = loadTools(['typed.ts'], { cwd });
  if ('typescript' in process.features && process.features.typescript !== false)
    assert.deepEqual(
      (await loading).map(({ name }) => name),
      ['a'],
    );
  else
    await assert.rejects(loading, {
      code: 'invalid-argument',
      message:
        'typed.ts: cannot be loaded: this Node does not run TypeScript: use Node 22.18 or newer, or compile it to JavaScript',
    });
});

test('of several faulty files the first given is reported', async () => {
  await assert.rejects(loadTools(['one.mjs', 'bad.mjs', 'throws.mjs'], { cwd }), {
    message: /^bad\.mjs: tool "a": inputSchema /,
  });
});

test('a module that never comes is given up after a limit, by name', async () => {
  await assert.rejects(loadTools(['one.mjs', 'stuck.mjs'], { cwd, importTimeoutMs: 20 }), {
    code: 'invalid-argument',
    message:
      'stuck.mjs: cannot be loaded: its import has not ended within 20 ms; does it await something that never comes?',
    data: { file: 'stuck.mjs', limit: 'importTimeoutMs', value: 20 },
  });
});

test('the limit of imports is a time', async () => {
  for (const importTimeoutMs of [0, -1, Number.NaN, '5']) {
    await assert.rejects(loadTools(['one.mjs'], { cwd, importTimeoutMs: importTimeoutMs as number }), {
      message: /^importTimeoutMs must be a number of ms above 0, or Infinity, got /,
    });
  }
  assert.equal((await loadTools(['one.mjs'], { cwd, importTimeoutMs: Number.POSITIVE_INFINITY })).length, 2);
});

test('whatever a module throws, or does when it is looked at, is one error with the name of the file', async () => {
  for (const [file, message] of [
    ['throws-null.mjs', 'throws-null.mjs: cannot be loaded: it threw a value that says nothing'],
    ['throws-odd.mjs', 'throws-odd.mjs: cannot be loaded: it threw a value that says nothing'],
    ['throws-proxy.mjs', 'throws-proxy.mjs: cannot be loaded: it threw a value that says nothing'],
    ['getter.mjs', 'getter.mjs: its tools cannot be read: no a'],
    ['field.mjs', 'field.mjs: tool "a" cannot be read: no kind'],
    ['keys.mjs', 'keys.mjs: its tools cannot be read'],
    ['revoked.mjs', /^revoked\.mjs: tool "a" cannot be read: /],
    ['then.mjs', /^then\.mjs: must export an object named `tools`/],
  ] as const) {
    await assert.rejects(loadTools([file], { cwd }), (error: Error & { code?: unknown }) => {
      assert.equal(error.code, 'invalid-argument');
      if (typeof message === 'string') assert.equal(error.message, message);
      else assert.match(error.message, message);
      return true;
    });
  }
});

test('a handler is called without asking anything of it', async () => {
  const [one] = await loadTools(['bind.mjs'], { cwd });
  assert.equal(one?.handler({}, { signal: AbortSignal.abort(), cellId: '1', callId: '1' }), 7);
});

test('what are no files, and options that are not known, are refused', async () => {
  for (const files of [undefined, 'one.mjs', [1], null]) {
    await assert.rejects(loadTools(files as never, { cwd }), {
      code: 'invalid-argument',
      message: /^loadTools takes an array of files, got /,
    });
  }
  await assert.rejects(loadTools(['one.mjs'], { dir: cwd } as never), {
    code: 'invalid-argument',
    message: 'loadTools: the option dir is not known; known are cwd, importTimeoutMs',
  });
});

test('the limit of an import that has ended keeps no process alive', async (t) => {
  const stopped = t.mock.method(globalThis, 'clearTimeout');
  await loadTools(['one.mjs', 'two.mjs'], { cwd });
  assert.equal(stopped.mock.callCount(), 2);
});
