// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the cells are text here
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyDrafts } from '../../src/source/apply-drafts.js';
import type { Draft } from '../../src/source/finding.js';
import { prepareCell } from '../../src/source/prepare-cell.js';
import { readCell } from '../../src/source/reading.js';

const tools = ['get', 'send', 'read_file', 'fail'];
const fixed = (source: string, names: readonly string[] | undefined = tools) =>
  prepareCell(source, { preflight: 'fix', tools: names });
const reportedOnly = async (source: string, code: string): Promise<void> => {
  const { findings, ...rest } = await fixed(source);
  assert.deepEqual(rest, { source, repaired: false, stripped: false });
  assert.deepEqual([...new Set(findings.map((finding) => finding.code))], [code], source);
};

test('a call that is not awaited is left alone where the cell goes on to wait for something else', async () => {
  for (const source of [
    'tools.get({});\nawait tools.send({});\ntext("done");',
    'for (const x of [1, 2]) tools.send({ x });\nawait tools.get({});',
    'const job = tools.get({});\nawait tools.send({});\ntext(`it is ${job}`);',
    'const job = tools.get({});\nfunction f() {\n  text(job.id);\n}\nawait tools.send({});\nf();\nf(job.id);',
    'function f() {\n  text(job.id);\n}\nconst job = tools.get({});\nawait tools.send({});\nf();',
    'const job = tools.get({});\ntext(job ? "started" : "none");\nawait tools.send({});',
    'const job = tools.get({});\ntext(!job);',
    'const job = tools.get({});\ntext(job === null);',
    'if (tools.send({})) text("sent");',
    'const job = tools.get({});\njob.cancel?.();\nawait tools.send({});',
    'async function f() {\n  tools.send({});\n}\nawait f();',
  ])
    await reportedOnly(source, 'unawaited-tool-call');
  await reportedOnly(
    '[1].forEach(async (x) => {\n  await tools.send({ x });\n});\nawait tools.get({});',
    'async-callback',
  );
});

test('what is not there is mended only where the cell cannot catch that', async () => {
  for (const source of [
    'try {\n  await tools.readFile({});\n} catch {\n  text("fallback");\n}',
    'const f = async () => text(await tools.readFile({}));\nawait f().catch(() => text("fallback"));',
    'const f = async () => text(await tools.readFile({}));\nawait Promise.allSettled([f()]);',
    'const read = tools.readFile;\ntext(await read({}));',
    'text([1].map(tools.readFile).length);',
  ])
    await reportedOnly(source, 'unknown-tool');
  await reportedOnly('try {\n  text(await get({}));\n} catch {\n  text("none");\n}', 'bare-tool-call');
  await reportedOnly('try {\n  console.log(1);\n} catch {\n  text("none");\n}', 'no-console');
  await reportedOnly('try {\n  print(1);\n} catch {\n  text("none");\n}', 'python-code');
  await reportedOnly('try {\n  text(None);\n} catch {\n  text("none");\n}', 'python-code');
  await reportedOnly('try {\n  const a = 1 &lt; 2;\n} catch {\n  text("none");\n}', 'html-entities');
  const { source } = await fixed('try {\n  text(1);\n} catch {\n  text(await tools.readFile({}));\n}');
  assert.match(source, /tools\.read_file/);
});

test('a value that cannot be shown does not make the cell fail', async () => {
  const shown: unknown[] = [];
  const text = (value: unknown): void => {
    JSON.stringify(value);
    shown.push(value);
  };
  for (const source of [
    'const o = {};\no.self = o;\no',
    'let big = 10n;\nbig',
    'const s = Symbol();\ns',
    'const f = text.name;\nconst g = () => f;\ng',
    'let list = [1];\nlist.map((x) => x + x)',
  ]) {
    const prepared = await fixed(source);
    assert.deepEqual(
      prepared.findings.map((finding) => [finding.code, finding.fixed]),
      source.includes('text') ? [] : [['value-not-shown', true]],
    );
    new Function('text', prepared.source)(text);
  }
  assert.deepEqual(shown, [[2]]);
  const plain = await fixed('const r = await tools.get({})\nr');
  assert.equal(plain.source, 'const r = await tools.get({})\ntext(r)');
});

test('a tool that runs code gets its argument, and is not taken for a wrapper', async () => {
  for (const source of [
    'await tools.exec({ code: "text(1)" })',
    'await tools.exec("text(1)")',
    'await tools.exec(`make all`)',
    'await tools.execute({ code: "text(1)" })',
    'await tools.exec(\nconst a = 1;\ntext(a);\n)',
  ]) {
    for (const names of [['exec', 'execute'], undefined]) {
      const prepared = await prepareCell(source, { preflight: 'fix', tools: names });
      assert.equal(prepared.source, source);
      assert.deepEqual(prepared.findings, []);
    }
  }
  for (const source of ['exec({ code: "text(1)" })', 'await run_code("text(1)")'])
    assert.doesNotMatch((await fixed(source, ['exec', 'run_code'])).source, /^text/);
  const { findings } = await fixed('await tools.exec("make all")');
  assert.deepEqual(
    findings.map(({ code }) => code),
    ['unknown-tool'],
  );
});

test('a cell that is one string is data, unless a program of cells is in it', async () => {
  for (const source of ['"f(1)"', '({ code: "f(1)" })'])
    assert.ok((await fixed(source)).findings.every(({ code }) => code === 'value-not-shown'));
  assert.equal((await fixed('"text(1)"')).source, 'text(1)');
});

test('an await in parentheses does not make a call of the line before', async () => {
  for (const before of ['const a = 1', 'const a = 1 // one', 'const f = () => {}', '"use strict"', 'f()', 'let a'])
    assert.equal(
      (await fixed(`${before}\ntools.get({}).items.map((x) => text(x))`)).source,
      `${before.replace(/(?= \/\/)|$/, ';')}\n(await tools.get({})).items.map((x) => text(x))`,
    );
  assert.equal(
    (await fixed('if (true) tools.get({}).a.map(text)')).source,
    'if (true) (await tools.get({})).a.map(text)',
  );
  assert.equal(
    (await fixed('text(1);\ntools.get({}).a.map(text)')).source,
    'text(1);\n(await tools.get({})).a.map(text)',
  );
});

test('values in parentheses are printed in one line', async () => {
  const { source } = await fixed('console.log((1), /* b( */ (2),)');
  const shown: unknown[] = [];
  new Function('text', source)((value: unknown) => shown.push(value));
  assert.deepEqual(shown, ['1 2']);
});

test('a repair that does not parse is left out, and drops none of the others', async () => {
  const reading = await readCell('a;b;c;d;e');
  assert.ok(reading.program !== undefined);
  const draft = (at: number, text: string): Draft => ({
    code: 'no-console',
    at,
    message: text,
    edits: [{ start: at, end: at + 1, text }],
  });
  const drafts = [draft(0, 'A'), draft(2, '('), draft(4, 'C'), draft(6, 'D'), draft(8, ')(')];
  const repaired = await applyDrafts(reading, drafts, false);
  assert.equal(repaired?.reading.text, 'A;b;C;D;e');
  assert.deepEqual([...(repaired?.applied ?? [])].map(({ message }) => message).sort(), ['A', 'C', 'D']);
  assert.equal(await applyDrafts(reading, [draft(0, '(')], false), undefined);
});

test('a list of promises that is returned is waited for', async () => {
  for (const source of [
    'return [1].map(async (x) => await tools.get({ x }))',
    'return [1].map((x) => tools.get({ x }));',
    'const all = [1].map(async (x) => await tools.get({ x }));\nreturn all;',
  ])
    assert.match((await fixed(source)).source, /text\(await Promise\.all\((\[1\]|all)[\s\S]*\)\)/);
});

test('texts that are hard to look through take no time', { timeout: 60_000 }, async () => {
  const fill = (unit: string): string => unit.repeat(Math.floor(250_000 / unit.length));
  const many = Array.from({ length: 2_000 }, (_, index) => `mcp__server__a_rather_long_name_${index}`);
  const unknown = Array.from({ length: 9_000 }, (_, index) => `tools.nope_${index}({});`).join('\n');
  for (const source of [
    `\`\`\`${fill(' ')}x`,
    `\`\`\`js${fill(' \t')}x`,
    `\`\`\`js\nx(${fill('`')}x`,
    `“"${fill('\\"')}`,
    `\u200B( '${fill("\\'")}`,
    fill('tools.get({}).b\n'),
    fill('if (a) return f();\n'),
    unknown,
  ])
    assert.equal(typeof (await fixed(source, many)).source, 'string');
});
