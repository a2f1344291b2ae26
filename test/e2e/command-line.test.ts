import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { lastEvent, root, runCli, temporaryFile } from '../support/cli.js';

const usage: readonly (readonly [args: readonly string[], message: string])[] = [
  [[], 'no cell given: name a file, - for standard input, or use -e SOURCE'],
  [['--tomeout', '5', '-e', '1'], 'unknown option --tomeout; did you mean --timeout?'],
  [['-e'], '-e needs a value: -e SOURCE'],
  [['--json=yes', '-e', '1'], '--json takes no value'],
  [['--env', '=x', '-e', '1'], '--env must be NAME or NAME=VALUE, got "=x"'],
  [['--host', '', '-e', '1'], '--host must not be empty'],
  [['-', '-'], 'standard input (-) can be read only once'],
  // No value is rounded, clamped, or overflows into an immediate timeout.
  ...['0', '-1', '1.5', 'abc', '2147483648', 'Infinity', '1e20', ''].map((given): [string[], string] => [
    ['--handshake-timeout', given, '-e', '1'],
    `--handshake-timeout must be a whole number from 1 to 2147483647, got ${JSON.stringify(given)}`,
  ]),
  [['--timeout', '2147483648', '-e', '1'], '--timeout must be a whole number from 1 to 2147483647, got "2147483648"'],
  [['--max-heap', '0', '-e', '1'], '--max-heap must be a whole number from 1 to 1048576, got "0"'],
];

for (const [args, message] of usage) {
  test(`a usage error says what is wrong: ${JSON.stringify(args)}`, async (t) => {
    const { code, stdout, stderr } = await runCli(t, args);
    assert.deepEqual([code, stdout, stderr], [2, '', `codemode-run: ${message}\nTry codemode-run --help.\n`]);
  });
}

test('a usage error comes as an event where events were asked for', async (t) => {
  const { code, stdout, stderr } = await runCli(t, ['--json', '--tomeout', '5']);
  const { type, code: reason } = lastEvent(stdout);
  assert.deepEqual([code, type, reason, stderr], [2, 'error', 'usage', '']);
});

for (const [title, name, problem] of [
  ['missing', '/no/such/cell.js', 'no such file'],
  ['a directory', '/tmp', 'is a directory'],
] as const) {
  test(`a cell that cannot be read is named: ${title}`, async (t) => {
    const { code, stdout, stderr } = await runCli(t, [name]);
    assert.deepEqual([code, stdout, stderr], [2, '', `codemode-run: cannot read cell ${name}: ${problem}\n`]);
  });
}

test('a cell that is not UTF-8 is refused', async (t) => {
  const { code, stderr } = await runCli(t, ['-'], { stdin: Buffer.from([0x22, 0xff, 0x22]) });
  assert.deepEqual([code, stderr], [2, 'codemode-run: cannot read cell [stdin]: it is not valid UTF-8\n']);
});

test('the longest timeout is no short one', async (t) => {
  const args = ['--timeout', '2147483647', '--handshake-timeout', '2147483647', '--yield-time', '2147483647'];
  const { code, stdout } = await runCli(t, [...args, '-e', 'await new Promise((r) => setTimeout(r, 30)); text(1)']);
  assert.deepEqual([code, stdout], [0, '1\n']);
});

test('behind -- everything is the name of a cell, also what looks like an option', async (t) => {
  const file = await temporaryFile(t, '--json', 'text("dashes")');
  const { code, stdout } = await runCli(t, ['--', '--json'], { cwd: join(file, '..') });
  assert.deepEqual([code, stdout], [0, 'dashes\n']);
});

test('run may be said or left out', async (t) => {
  const { code, stdout } = await runCli(t, ['run', '-e', 'text(1)']);
  assert.deepEqual([code, stdout], [0, '1\n']);
});

test('--version is that of the package', async (t) => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  assert.deepEqual(await runCli(t, ['--version']), { code: 0, signal: null, stdout: `${version}\n`, stderr: '' });
});

test('--help shows every option with its default, and the exit codes', async (t) => {
  const { code, stdout, stderr } = await runCli(t, ['--help', '--nonsense']);
  assert.deepEqual([code, stderr], [0, '']);
  const options =
    'eval tools host host-arg env inherit-env handshake-timeout timeout yield-time max-output-tokens max-heap out-dir json verbose help version';
  for (const option of options.split(' ')) assert.match(stdout, new RegExp(`--${option}\\b`));
  for (const value of ['30000', '600000', '250']) assert.match(stdout, new RegExp(`\\[default: ${value}\\]`));
  assert.match(stdout, /Exit codes:\n +0 .*\n +1 .*\n +2 .*\n +3 .*\n +4 .*\n +128\+n /);
});

test('the host program answers for itself when it is used in a wrong way', async (t) => {
  const host = join(root, 'bin/codemode-host.js');
  const shell = `"${process.execPath}" "${host}" --nonsense; echo "exit $?"`;
  const { stdout, stderr } = await runCli(t, [], { shell });
  assert.equal(stdout, 'exit 2\n');
  assert.match(stderr, /^codemode-host: unknown argument --nonsense\nusage: codemode-host /);
});

test('our host is a host like any other', async (t) => {
  const { code, stdout } = await runCli(t, ['--host', join(root, 'bin/codemode-host.js'), '-e', 'text(1)']);
  assert.deepEqual([code, stdout], [0, '1\n']);
});

test('--verbose tells the life of the host', async (t) => {
  const { code, stdout, stderr } = await runCli(t, ['--verbose', '-e', 'text(1)']);
  assert.deepEqual([code, stdout], [0, '1\n']);
  const lines = stderr.trimEnd().split('\n');
  assert.equal(lines.length, 3, stderr);
  assert.match(lines[0] ?? '', /^\[codemode-run\] started .*, pid \d+$/);
  assert.match(lines[1] ?? '', /^\[codemode-run\] ready after \d+ ms: version 1, msgpack frames, capabilities: /);
  assert.match(lines[2] ?? '', /^\[codemode-run\] pid \d+ ended: /);
});

test('output that cannot be written is a failure, and says why', async (t) => {
  const { code, stderr } = await runCli(t, ['-e', 'text(1)'], { shell: '"$@" >/dev/full' });
  assert.equal(code, 1);
  assert.match(stderr, /^codemode-run: cannot write to stdout: ENOSPC\b.*\n$/);
});

for (const [stream, redirection, code] of [
  ['stdin', '<&-', 0],
  ['stdout', '>&-', 0],
  ['stderr', '2>&-', 0],
] as const) {
  test(`a run without ${stream} is a run`, async (t) => {
    const ended = await runCli(t, ['-e', 'text(1)'], { shell: `"$@" ${redirection}` });
    assert.deepEqual([ended.code, ended.stderr], [code, '']);
  });
}
