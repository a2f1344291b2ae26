import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RunArguments } from '../../src/cli/arguments.js';
import { asksForJson, parseArguments } from '../../src/cli/parse-arguments.js';
import { UsageError } from '../../src/cli/usage-error.js';

const run = (...argv: string[]): RunArguments => {
  const parsed = parseArguments(argv);
  assert.equal(parsed.command, 'run');
  return parsed as RunArguments;
};

const refused = (argv: readonly string[], message: string | RegExp): void =>
  assert.throws(
    () => parseArguments(argv),
    (error) =>
      error instanceof UsageError &&
      (typeof message === 'string' ? error.message === message : message.test(error.message)),
  );

test('defaults are those of the help text', () => {
  assert.deepEqual(run('a.js'), {
    command: 'run',
    cells: [{ kind: 'file', name: 'a.js' }],
    tools: [],
    mcp: [],
    mcpTimeoutMs: 10_000,
    mcpOptional: false,
    allowTools: [],
    denyTools: [],
    maxCalls: 10_000,
    maxCallsInFlight: 256,
    preflight: 'report',
    check: false,
    compiler: undefined,
    host: undefined,
    hostArgs: [],
    env: {},
    inheritEnv: false,
    handshakeTimeoutMs: 30_000,
    timeoutMs: 600_000,
    yieldTimeMs: undefined,
    maxOutputTokens: undefined,
    maxHeapMb: undefined,
    outDir: '.',
    json: false,
    verbose: false,
  });
});

test('run is the default command and may be spelled out; a file of that name can still be named', () => {
  assert.deepEqual(run('run', 'a.js'), run('a.js'));
  assert.deepEqual(run('./run').cells, [{ kind: 'file', name: './run' }]);
  assert.deepEqual(run('run', 'run').cells, [{ kind: 'file', name: 'run' }]);
  refused(['run'], /^no cell given/);
});

test('cells keep the order of the command line, evaluated ones too', () => {
  assert.deepEqual(run('a.js', '-e', '1', '-', '--eval=2', '--json', 'b.js', '--', '-e', '--json').cells, [
    { kind: 'file', name: 'a.js' },
    { kind: 'eval', source: '1' },
    { kind: 'file', name: '-' },
    { kind: 'eval', source: '2' },
    { kind: 'file', name: 'b.js' },
    { kind: 'file', name: '-e' },
    { kind: 'file', name: '--json' },
  ]);
});

test('source is taken as it is', () => {
  for (const source of ['', ' ', '-1', '--x', '"quoted"', 'a=b\nc=d', '1e3', '-e', '--', 'true']) {
    assert.deepEqual(run('-e', source).cells, [{ kind: 'eval', source }]);
    assert.deepEqual(run(`--eval=${source}`).cells, [{ kind: 'eval', source }]);
  }
});

test('arguments of the host arrive as exact strings', () => {
  const exact = [
    '--id',
    '1e3',
    '007',
    '0x10',
    '--no-color',
    '-e',
    '',
    '--timeout',
    '5',
    '--',
    'a=b',
    '"q"',
    "'",
    'true',
    '-',
    '\u00e9',
  ];
  const argv = exact.flatMap((argument, index) =>
    index % 2 === 0 ? ['--host-arg', argument] : [`--host-arg=${argument}`],
  );
  assert.deepEqual(run(...argv, 'a.js').hostArgs, exact);
  assert.equal(run(...argv, 'a.js').timeoutMs, 600_000);
});

const bounds: readonly [string, keyof RunArguments, number, number][] = [
  ['--timeout', 'timeoutMs', 1, 2_147_483_647],
  ['--handshake-timeout', 'handshakeTimeoutMs', 1, 2_147_483_647],
  ['--yield-time', 'yieldTimeMs', 1, 2_147_483_647],
  ['--max-output-tokens', 'maxOutputTokens', 0, 2 ** 31 - 1],
  ['--max-heap', 'maxHeapMb', 1, 1_048_576],
  ['--max-calls', 'maxCalls', 1, 1_000_000_000],
  ['--max-calls-in-flight', 'maxCallsInFlight', 1, 1_000_000_000],
  ['--mcp-timeout', 'mcpTimeoutMs', 1, 2_147_483_647],
];
for (const [option, field, minimum, maximum] of bounds) {
  test(`${option} takes whole numbers from ${minimum} to ${maximum} and nothing else`, () => {
    for (const value of [minimum, 5, maximum]) assert.equal(run(option, String(value), 'a.js')[field], value);
    const bad = [
      minimum - 1,
      maximum + 1,
      -1,
      '1.5',
      'abc',
      '',
      ' 5',
      '5ms',
      'Infinity',
      '1e3',
      '1e20',
      '0x10',
      '9'.repeat(40),
    ];
    for (const value of bad) {
      const message = `${option} must be a whole number from ${minimum} to ${maximum}, got ${JSON.stringify(String(value))}`;
      refused([option, String(value), 'a.js'], message);
    }
    refused(['a.js', option], new RegExp(`^${option} needs a value`));
  });
}

test('of an option that is given twice the last counts', () => {
  assert.equal(run('--timeout', '5', '--timeout=6', 'a.js').timeoutMs, 6);
  refused(['--timeout', '5', '--timeout=x', 'a.js'], /^--timeout must be/);
});

test('variables are taken with their value, or without one from our environment', () => {
  const { env } = run('--env', 'A=1', '--env', 'B=', '--env', 'C', '--env=D=x=y', '--env', '__proto__=p', '-e', '');
  assert.deepEqual(Object.entries(env), [
    ['A', '1'],
    ['B', ''],
    ['C', undefined],
    ['D', 'x=y'],
    ['__proto__', 'p'],
  ]);
  refused(['--env', '=x', 'a.js'], '--env must be NAME or NAME=VALUE, got "=x"');
  refused(['--env', '', 'a.js'], '--env must be NAME or NAME=VALUE, got ""');
});

test('an unknown option is named, with the nearest known one', () => {
  refused(['--tool', 'x'], 'unknown option --tool; did you mean --tools?');
  refused(['--time-out=5'], 'unknown option --time-out; did you mean --timeout?');
  refused(['--xyzzyplugh'], 'unknown option --xyzzyplugh');
  refused(['--no-json', 'a.js'], /^unknown option --no-json/);
  refused(['--constructor', 'a.js'], /^unknown option --constructor/);
  refused(['--__proto__=1', 'a.js'], /^unknown option --__proto__/);
  refused(['-x'], /^unknown option -x/);
  refused([`--${'a'.repeat(100_000)}`], /^unknown option --a+$/);
});

test('flags take no value', () => {
  refused(['--json=false', 'a.js'], '--json takes no value');
  assert.deepEqual(run('--json', 'true').cells, [{ kind: 'file', name: 'true' }]);
});

test('names must not be empty, and standard input can be read once', () => {
  refused(['--host', '', 'a.js'], '--host must not be empty');
  refused(['--out-dir=', 'a.js'], '--out-dir must not be empty');
  refused(['-', 'a.js', '-'], 'standard input (-) can be read only once');
  refused([], /^no cell given/);
  refused(['', 'a.js'], 'the name of a cell must not be empty');
  refused(['--tools', '', 'a.js'], '--tools must not be empty');
});

test('help and version win over mistakes, but not as a value and not behind --', () => {
  assert.equal(parseArguments(['--nonsense', '--help']).command, 'help');
  assert.equal(parseArguments(['a.js', '-h']).command, 'help');
  assert.equal(parseArguments(['--version']).command, 'version');
  assert.deepEqual(run('--host-arg', '--help', '-e', '--version', 'a.js').hostArgs, ['--help']);
  assert.equal(run('--', '--help').cells.length, 1);
});

test('slips of models are mended for programs and reported to people, unless something else is asked for', () => {
  assert.equal(run('a.js').preflight, 'report');
  assert.equal(run('--json', 'a.js').preflight, 'fix');
  assert.equal(run('--json', '--preflight', 'off', 'a.js').preflight, 'off');
  refused(['--preflight=maybe', 'a.js'], '--preflight must be off, report or fix, got "maybe"');
});

test('describe takes sources of tools, and no cells', () => {
  assert.deepEqual(parseArguments(['describe', '--mcp', 'm.json', '--deny-tool=x*', '--max-tokens', '4000']), {
    command: 'describe',
    tools: [],
    mcp: ['m.json'],
    mcpTimeoutMs: 10_000,
    mcpOptional: false,
    allowTools: [],
    denyTools: ['x*'],
    maxTokens: 4_000,
    format: 'text',
    verbose: false,
  });
  refused(['describe', 'a.js'], 'describe takes no cells, got "a.js"; name files of tools with --tools or --mcp');
  refused(['describe', '--format', 'html'], '--format must be text, json or dts, got "html"');
});

test('check takes cells and sources of tools', () => {
  assert.deepEqual(parseArguments(['check', 'a.ts', '-e', '1', '--tools', 't.mjs', '--json']), {
    command: 'check',
    cells: [
      { kind: 'file', name: 'a.ts' },
      { kind: 'eval', source: '1' },
    ],
    tools: ['t.mjs'],
    mcp: [],
    mcpTimeoutMs: 10_000,
    mcpOptional: false,
    allowTools: [],
    denyTools: [],
    compiler: undefined,
    json: true,
    verbose: false,
  });
  refused(['check'], /^no cell given/);
});

test('an option of another command is said to be one', () => {
  refused(['check', '--timeout', '5', 'a.ts'], '--timeout is an option of codemode-run run, not of this command');
  refused(['--format', 'json', 'a.js'], '--format is an option of codemode-run describe, not of this command');
  refused(['describe', '--json'], '--json is an option of codemode-run run, codemode-run check, not of this command');
});

test('help is that of the command', () => {
  assert.deepEqual(parseArguments(['describe', '--nonsense', '-h']), { command: 'help', of: 'describe' });
  assert.deepEqual(parseArguments(['check', '--help']), { command: 'help', of: 'check' });
  assert.deepEqual(parseArguments(['--help']), { command: 'help', of: 'run' });
});

test('that JSON is wanted is known even when the rest is not understood', () => {
  assert.equal(asksForJson(['--nonsense', '--json']), true);
  assert.equal(asksForJson(['--host-arg', '--json']), false);
  assert.equal(asksForJson(['-e', '--json']), false);
  assert.equal(asksForJson(['--', '--json']), false);
});
