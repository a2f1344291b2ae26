import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type PrepareOptions, prepareCell } from '../../src/source/prepare-cell.js';

const base: PrepareOptions = { label: '[eval]', typescript: false, preflight: 'fix', tools: ['read_file', 'note'] };
const prepare = (source: string, more: Partial<PrepareOptions> = {}) => prepareCell(source, { ...base, ...more });

test('a JavaScript cell with types loses them, whatever it is called', async () => {
  for (const preflight of ['report', 'fix'] as const)
    assert.deepEqual(await prepare('const x: number = 1;\ntext(x);', { preflight }), {
      source: 'const x         = 1;\ntext(x);',
      findings: [],
      repaired: false,
      stripped: true,
    });
  assert.equal((await prepare('text(f<string>("x"));')).source, 'text(f        ("x"));');
});

test('with preflight off only what is declared as TypeScript is stripped', async () => {
  const fenced = '```js\ntext(1)\n```';
  assert.deepEqual(await prepare(fenced, { preflight: 'off' }), {
    source: fenced,
    findings: [],
    repaired: false,
    stripped: false,
  });
  const typed = 'let a: 1;';
  assert.equal((await prepare(typed, { preflight: 'off' })).source, typed);
  assert.equal((await prepare(typed, { preflight: 'off', typescript: true })).source, 'let a   ;');
});

test('a TypeScript cell that cannot be stripped is an error with its place, unless a finding says why', async () => {
  for (const preflight of ['off', 'report', 'fix'] as const)
    await assert.rejects(prepare('text(1);\nenum A {}', { preflight, typescript: true }), {
      code: 'invalid-argument',
      message: /^\[eval\]:2:1: .*constant object/,
    });
  const { findings, source } = await prepare('```ts\nlet a: number = 1;\n```', {
    preflight: 'report',
    typescript: true,
  });
  assert.deepEqual(
    findings.map(({ code, fixed }) => [code, fixed]),
    [['code-fence', false]],
  );
  assert.equal(source, '```ts\nlet a: number = 1;\n```');
});

test('a report says where, and leaves the source alone', async () => {
  const source = 'const r = 1;\n  tools.note({ r });\nreturn r;';
  const { findings, ...rest } = await prepare(source, { preflight: 'report' });
  assert.deepEqual(rest, { source, repaired: false, stripped: false });
  assert.deepEqual(
    findings.map(({ code, line, column, fixed }) => ({ code, line, column, fixed })),
    [
      { code: 'unawaited-tool-call', line: 2, column: 3, fixed: false },
      { code: 'top-level-return', line: 3, column: 1, fixed: false },
    ],
  );
  for (const { message } of findings) assert.doesNotMatch(message, /\n/);
});

test('a place behind a fence or in a string is that in the lines of the program', async () => {
  const places = async (source: string) =>
    (await prepare(source)).findings.map(({ code, line, column }) => `${code} ${line}:${column}`);
  assert.deepEqual(await places('```js\ntext(1)\n  return 5\n```\n'), ['code-fence 1:1', 'top-level-return 3:3']);
  assert.deepEqual(await places('{"code": "text(1)\\nreturn 5"}'), ['json-wrapper 1:1', 'top-level-return 2:1']);
});

test('repairs keep the line numbers', async () => {
  const { source } = await prepare(
    'Sure:\n```js\nconst r = tools.note({});\ntext(r.n);\nthrow new Error("x");\n```\nDone.',
  );
  assert.equal(source.split('\n')[4], 'throw new Error("x");');
  const returned = await prepare('if (a) return (\n  1\n);\nthrow 2;');
  assert.equal(returned.source.split('\n')[3], 'throw 2;');
});

test('one repair can lead to the next', async () => {
  const { source, findings } = await prepare('function main() {\n  text(await note({}));\n}\nmain();');
  assert.equal(source, 'async function main() {\n  text(await tools.note({}));\n}\nawait main();');
  assert.ok(findings.every(({ fixed }) => fixed));
});

test('an unknown tool is reported with the nearest one, and only if the tools are known', async () => {
  const source = 'text(await tools.read_fiel({}));';
  const [finding] = (await prepare(source)).findings;
  assert.match(finding!.message, /did you mean tools\.read_file\?/);
  assert.deepEqual((await prepareCell(source, { label: 'x', typescript: false, preflight: 'fix' })).findings, []);
});

test('a shell command is answered with the tool that runs commands, where there is one', async () => {
  const [hint] = (await prepare('ls -la', { commandTool: 'exec_command' })).findings;
  assert.match(hint!.message, /tools\.exec_command\(\{ cmd: "ls -la" \}\)/);
  assert.doesNotMatch((await prepare('ls -la')).findings[0]!.message, /exec_command/);
});

test('a pragma stays on the first line, and gets there if a fence was before it', async () => {
  const kept = '// @exec: {"yield_time_ms": 5}\ntext(1);';
  assert.equal((await prepare(kept)).source, kept);
  assert.equal((await prepare(`\`\`\`js\n${kept}\n\`\`\``)).source.split('\n')[0], '// @exec: {"yield_time_ms": 5}');
});

test('a pragma that a fence has pushed down is no finding of its own, but what is wrong with it is', async () => {
  const said = async (source: string, preflight: 'report' | 'fix' = 'fix') =>
    (await prepare(source, { preflight })).findings.map(({ code, line, fixed }) => `${code} ${line} ${fixed}`);
  const pragma = '// @exec: {"yield_time_ms": 5}';
  assert.deepEqual(await said(`\`\`\`js\n${pragma}\ntext(1);\n\`\`\``), ['code-fence 1 true']);
  assert.deepEqual(await said(`Here:\r\n\r\n\`\`\`js\r\n${pragma}\r\ntext(1);\r\n\`\`\``, 'report'), [
    'code-fence 3 false',
  ]);
  for (const first of ['', '// first'])
    assert.deepEqual(await said(`\`\`\`js\n${first}\n${pragma}\ntext(1);\n\`\`\``, 'report'), [
      'code-fence 1 false',
      'pragma-not-first 3 false',
    ]);
  assert.deepEqual(await said('```js\n// @exec: {"timeout": 5}\ntext(1);\n```'), [
    'code-fence 1 true',
    'exec-pragma 2 false',
  ]);
  assert.deepEqual(await said(`\n${pragma}\ntext(1);`), ['pragma-not-first 2 true']);
});

test('without options a cell is looked at and left as it is', async () => {
  const { source, findings, repaired } = await prepareCell('return 1;');
  assert.deepEqual([source, findings.map(({ code }) => code), repaired], ['return 1;', ['top-level-return'], false]);
  await assert.rejects(prepareCell('let a: = 1', { typescript: true }), { message: /^\[cell\]:1:8: / });
});

for (const [given, problem] of [
  [[undefined], /^prepareCell: source must be a string, got nothing$/],
  [['text(1)', null], /^the options of prepareCell must be an object, got null$/],
  [['text(1)', { preflight: 'fixx' }], /^prepareCell: preflight must be off, report or fix, got a string$/],
  [['text(1)', { label: 5 }], /^prepareCell: label must be a string, got 5$/],
  [['text(1)', { typescript: 'yes' }], /^prepareCell: typescript must be true or false, got a string$/],
  [['text(1)', { tools: 'read' }], /^prepareCell: tools must be an array of strings, got a string$/],
  [['text(1)', { tools: [{}] }], /^prepareCell: tools must be an array of strings, got an array$/],
  [['text(1)', { commandTool: [] }], /^prepareCell: commandTool must be a string, got an array$/],
] as const) {
  test(`arguments that can not be used are refused: ${problem.source}`, async () => {
    const anything = prepareCell as (...args: readonly unknown[]) => Promise<unknown>;
    await assert.rejects(anything(...given), { code: 'invalid-argument', message: problem });
  });
}

test('text that is no program comes back as it is', async () => {
  for (const source of ['text((', 'Hello, how are you today?', '{"a": 1}', '<div>', '\u0000', 'await', '"unclosed'])
    assert.deepEqual(await prepare(source), { source, findings: [], repaired: false, stripped: false });
});

test('what is nested too deeply is passed on', async () => {
  for (const source of [
    `text(${'['.repeat(20_000)}${']'.repeat(20_000)})`,
    `text(${'1+'.repeat(50_000)}1)`,
    '('.repeat(50_000),
  ])
    assert.deepEqual(await prepare(source), { source, findings: [], repaired: false, stripped: false });
});

test('what is too long is passed on, and nothing short takes its time', async () => {
  const long = 'return 1;\n'.repeat(1_000_000);
  assert.equal((await prepare(long)).source, long);
  const units = [
    '/* ',
    '```\n',
    '“',
    '&lt;',
    '<code>',
    '"',
    '`',
    '\n',
    'x y ',
    '{"code":"',
    'await x;(()=>await y);',
    '\u200B',
  ];
  for (const unit of units) {
    const source = unit.repeat(Math.floor(30_000 / unit.length));
    assert.equal(typeof (await prepare(source)).source, 'string');
  }
});

test('many findings are cut off, many repairs are made', async () => {
  const { source, findings } = await prepare('tools.note({});\n'.repeat(500));
  assert.equal(findings.length, 50);
  assert.equal(source, 'await tools.note({});\n'.repeat(500));
});
