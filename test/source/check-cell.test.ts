import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { readCompilerOutput } from '../../src/source/check/compiler-output.js';
import { runCompiler } from '../../src/source/check/compiler-run.js';
import { type CheckOptions, checkCell, checkCells } from '../../src/source/check-cell.js';
import { MARK, markedProcesses } from '../support/marked-processes.js';
import { eventually } from '../support/processes.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'codemode-test-'));
// Temporary folders of other tests are none of our business.
process.env.TMPDIR = folder;
after(() => rmSync(folder, { recursive: true }));

const declarations = `declare const tools: { read(args: { path: string }): Promise<{ content: string }> };
declare function text(value: unknown): void;\n`;

/** Checks, and proves that neither a process nor a temporary folder is left. */
async function checked<T>(check: (options: CheckOptions) => Promise<T>, more: Partial<CheckOptions> = {}): Promise<T> {
  const mark = randomUUID();
  const environment = { PATH: process.env.PATH ?? '', [MARK]: mark };
  const before = new Set(leftovers());
  try {
    return await check({ declarations, from: root, environment, ...more });
  } finally {
    await eventually(() => markedProcesses(mark).length === 0);
    assert.deepEqual(
      leftovers().filter((name) => !before.has(name)),
      [],
    );
  }
}

const leftovers = (): string[] => readdirSync(tmpdir()).filter((name) => name.startsWith('codemode-check-'));

const script = (name: string, body: string): string => {
  const file = join(folder, name);
  writeFileSync(file, `#!/usr/bin/env node\n${body}`);
  chmodSync(file, 0o755);
  return file;
};

test('faults in types are found in cells with and without types, at the places of the source', async () => {
  const cells = [
    { label: 'a.js', source: '\uFEFFtext("😀", await tools.read({ path: 1 }));' },
    { label: 'b.ts', source: 'const n: number = 1;\n\ntext(n);\nconst s: string = n;' },
    {
      label: 'good.js',
      source: 'const xs = [];\nxs.push(1);\nconst f = (a) => a;\nconst o = {};\no.a = f(xs);\ntext(o);',
    },
  ];
  const found = await checked((options) => checkCells(cells, options));
  assert.deepEqual(found.map(({ file, line, column, code }) => `${file}:${line}:${column} ${code}`).sort(), [
    'a.js:1:13 TS2554',
    'a.js:1:32 TS2322',
    'b.ts:4:7 TS2322',
  ]);
  for (const { message } of found) assert.match(message, /^\S.*\S$/);
});

test('a cell in which all is well has no diagnostics', async () => {
  const source =
    'text((await tools.read({ path: "a" })).content);\ntry {\n  text(1);\n} catch (e) {\n  text(e.message);\n}';
  assert.deepEqual(await checked((options) => checkCell(source, { ...options, label: 'x' })), []);
});

test('declarations that do not compile are a fault of ours', async () => {
  const check = checked((options) => checkCell('text(1)', { ...options, label: 'x' }), {
    declarations: 'declare const = 1;',
  });
  await assert.rejects(check, { code: 'internal-error', message: /declarations of the tools do not compile: 1:15/ });
});

test('a missing, an old and a broken compiler are told apart', async () => {
  const check = (more: Partial<CheckOptions>): Promise<unknown> =>
    checked((options) => checkCell('text(1)', { ...options, label: 'x' }), more);
  await assert.rejects(check({ compiler: join(folder, 'none') }), { code: 'unsupported', message: /cannot be read/ });
  const old = join(folder, 'node_modules', 'typescript');
  mkdirSync(old, { recursive: true });
  writeFileSync(join(old, 'package.json'), '{ "version": "5.4.5" }');
  await assert.rejects(check({ from: folder }), { code: 'unsupported', message: /is TypeScript 5\.4\.5/ });
  const broken = script('broken', 'console.error("out of order"); process.exit(7);');
  await assert.rejects(check({ compiler: broken }), { code: 'unsupported', message: /did not work: out of order/ });
  const strange = script('strange', 'console.log("error TS5023: Unknown compiler option \'x\'."); process.exit(1);');
  await assert.rejects(check({ compiler: strange }), { code: 'unsupported', message: /TS5023/ });
});

test('a check that takes too long is ended, and so is one that nobody wants any more', async () => {
  const hanging = script(
    'hanging',
    'require("node:child_process").spawn("sleep", ["60"]); setInterval(() => {}, 1000);',
  );
  const check = (more: Partial<CheckOptions>): Promise<unknown> =>
    checked((options) => checkCell('text(1)', { ...options, label: 'x' }), { compiler: hanging, ...more });
  await assert.rejects(check({ timeoutMs: 200 }), { code: 'operation-timeout', message: /within 200 ms/ });
  await assert.rejects(check({ signal: AbortSignal.abort() }), { code: 'cancelled' });
  await assert.rejects(check({ signal: AbortSignal.timeout(100) }), { code: 'cancelled' });
});

test('a signal that fires while the compiler is being started ends the check too', async () => {
  const hanging = script('hanging-too', 'setInterval(() => {}, 1000);');
  // It is looked at several times on the way, and may fire as soon as that is done: before anybody listens.
  for (let look = 1; look <= 4; look += 1) {
    const controller = new AbortController();
    const { signal } = controller;
    let looks = 0;
    let fired = false;
    const fire = (): void => {
      fired = true;
      controller.abort();
    };
    Object.defineProperty(signal, 'aborted', {
      get() {
        looks += 1;
        if (looks === look) queueMicrotask(fire);
        return fired;
      },
    });
    await checked(({ environment }) =>
      assert.rejects(
        runCompiler({ program: process.execPath, args: [hanging] }, [], {
          cwd: folder,
          environment,
          signal,
          timeoutMs: 5_000,
        }),
        { code: 'cancelled' },
        `at look ${look}`,
      ),
    );
  }
});

test('a check without a limit takes as long as it takes', async () => {
  const compiler = script('in-time', 'setTimeout(() => {}, 50);');
  for (const timeoutMs of [Number.POSITIVE_INFINITY, 2 ** 40]) {
    const check = checked((options) => checkCell('text(1)', { ...options, label: 'x' }), { compiler, timeoutMs });
    assert.deepEqual(await check, []);
  }
});

for (const [given, problem] of [
  [[undefined, {}], /^checkCells: cells must be an array, got nothing$/],
  [[[], undefined], /^the options of checkCells must be an object, got nothing$/],
  [[['text(1)'], {}], /^checkCells: cells\[0\] must be an object, got a string$/],
  [[[{ source: 'text(1)' }], {}], /^checkCells: cells\[0\]\.label must be a string, got nothing$/],
  [[[], {}], /^checkCells: declarations must be a string, got nothing$/],
  [[[], { declarations }], /^checkCells: from must be a string, got nothing$/],
  [[[], { declarations, from: root }], /^checkCells: environment must be an object of strings, got nothing$/],
  [
    [[], { declarations, from: root, environment: { A: 1 } }],
    /^checkCells: environment must be an object of strings, got an object$/,
  ],
  ...[0, -1, Number.NaN].map(
    (timeoutMs) =>
      [
        [[], { declarations, from: root, environment: {}, timeoutMs }],
        new RegExp(`^checkCells: timeoutMs must be a number of ms above 0, or Infinity, got ${timeoutMs}$`),
      ] as const,
  ),
] as const) {
  test(`arguments that can not be used are refused: ${problem.source}`, async () => {
    const anything = checkCells as (...args: readonly unknown[]) => Promise<unknown>;
    await assert.rejects(anything(...given), { code: 'invalid-argument', message: problem });
  });
}

test('messages of several lines become one', () => {
  const output = [
    "cell-1.ts(2,3): error TS2322: Type 'A' is not assignable.",
    "  Types of property 'x' are incompatible.",
    "    Type 'string' is not assignable to type 'number'.",
    'error TS5023: Unknown option.',
    'noise',
    '',
  ].join('\r\n');
  assert.deepEqual(readCompilerOutput(output), [
    {
      file: 'cell-1.ts',
      line: 2,
      column: 3,
      code: 'TS2322',
      message:
        "Type 'A' is not assignable. Types of property 'x' are incompatible. Type 'string' is not assignable to type 'number'.",
    },
    { file: undefined, line: 1, column: 1, code: 'TS5023', message: 'Unknown option.' },
  ]);
});
