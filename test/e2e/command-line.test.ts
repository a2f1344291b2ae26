import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { lastEvent, root, runCli, temporaryFile, temporaryFolder } from '../support/cli.js';
import { shellWord } from '../support/shell-word.js';

const windows = process.platform === 'win32' ? 'needs mkfifo' : false;

const usage: readonly (readonly [args: readonly string[], message: string])[] = [
  [[], 'no cell given: name a file, - for standard input, or use -e SOURCE'],
  [['--tomeout', '5', '-e', '1'], 'unknown option --tomeout; did you mean --timeout?'],
  [['-e'], '-e needs a value: -e SOURCE'],
  [['--json=yes', '-e', '1'], '--json takes no value'],
  [['--env', '=x', '-e', '1'], '--env must be NAME or NAME=VALUE, got "=x"'],
  [['--env', 'A B=x', '-e', '1'], '--env must be NAME or NAME=VALUE, got "A B=x"'],
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
  [
    'a word for the help',
    'help',
    `no such file (it was looked for at ${resolve('help')}); did you mean codemode-run --help?`,
  ],
] as const) {
  test(`a cell that cannot be read is named: ${title}`, async (t) => {
    const { code, stdout, stderr } = await runCli(t, [name]);
    assert.deepEqual([code, stdout, stderr], [2, '', `codemode-run: cannot read cell ${name}: ${problem}\n`]);
  });
}

for (const [title, shell, args, text] of [
  ['a cell', '"$@"', ['fifo'], 'cannot read cell fifo'],
  ['a device as a cell', '"$@"', ['/dev/zero'], 'cannot read cell /dev/zero'],
  ['a device behind the name of a descriptor', '"$@" </dev/zero', ['/dev/stdin'], 'cannot read cell /dev/stdin'],
  ['a tool module', '"$@"', ['--tools', 'fifo', '-e', '1'], 'cannot use --tools fifo'],
  ['a file of MCP servers', '"$@"', ['--mcp', 'fifo', '-e', '1'], 'cannot use --mcp fifo'],
  ['a device as a file of MCP servers', '"$@"', ['--mcp', '/dev/zero', '-e', '1'], 'cannot use --mcp /dev/zero'],
] as const) {
  test(`what may have no end is refused before it is opened: ${title}`, { skip: windows }, async (t) => {
    const cwd = await temporaryFolder(t);
    execFileSync('mkfifo', [join(cwd, 'fifo')]);
    const { code, stdout, stderr } = await runCli(t, [...args], { cwd, shell });
    assert.deepEqual([code, stdout, stderr], [2, '', `codemode-run: ${text}: not a regular file\n`]);
  });
}

test('a pipe that a shell has made is read', { skip: windows }, async (t) => {
  const cell = await runCli(t, ['/dev/stdin'], { shell: `echo 'text(1)' | "$@"` });
  assert.deepEqual([cell.code, cell.stdout, cell.stderr], [0, '1\n', '']);
  const shell = `echo '{"mcpServers": {}}' | "$@"`;
  const servers = await runCli(t, ['--mcp', '/dev/fd/0', '-e', 'text(2)'], { shell });
  assert.deepEqual([servers.code, servers.stdout, servers.stderr], [0, '2\n', '']);
});

test('an empty device is an empty cell, by whatever name', { skip: windows }, async (t) => {
  for (const [name, shell] of [
    ['/dev/null', '"$@"'],
    ['/dev/stdin', '"$@" </dev/null'],
    ['-', '"$@" </dev/null'],
  ] as const) {
    const { code, stdout, stderr } = await runCli(t, [name], { shell });
    assert.deepEqual([code, stdout, stderr], [0, '', ''], name);
  }
});

test('a tool module is not taken from a pipe that a shell has made, which is told', { skip: windows }, async (t) => {
  for (const file of ['/dev/stdin', '/dev/fd/0', '/proc/self/fd/0']) {
    const { code, stdout, stderr } = await runCli(t, ['--tools', file, '-e', '1'], { shell: 'echo | "$@"' });
    const problem = 'a module is imported from a file, not from a pipe or a terminal: save it to one';
    assert.deepEqual([code, stdout, stderr], [2, '', `codemode-run: cannot use --tools ${file}: ${problem}\n`]);
  }
});

test('a variable that is not set cannot be passed on, which is told', async (t) => {
  const { code, stdout, stderr } = await runCli(t, ['--env', 'NOT_SET_HERE', '-e', 'text(1)']);
  const warning = 'codemode-run: warning: --env NOT_SET_HERE: there is no NOT_SET_HERE in our environment\n';
  assert.deepEqual([code, stdout, stderr], [0, '1\n', warning]);
});

test('a directory as standard input is refused, not taken for an empty cell', async (t) => {
  const { code, stdout, stderr } = await runCli(t, ['-'], { shell: '"$@" < /tmp' });
  assert.deepEqual([code, stdout, stderr], [2, '', 'codemode-run: cannot read cell [stdin]: is a directory\n']);
});

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

test('--version of every command is that of the package', async (t) => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  for (const command of [[], ['run'], ['describe'], ['check'], ['exec-server']]) {
    const ended = await runCli(t, [...command, '--version']);
    assert.deepEqual(ended, { code: 0, signal: null, stdout: `${version}\n`, stderr: '' }, command.join());
  }
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

for (const [command, codes] of [
  ['run', '0 1 2 3 4 128+n'],
  ['describe', '0 1 2 3 128+n'],
  ['check', '0 1 2 3 128+n'],
  ['exec-server', '0 1 2'],
] as const) {
  test(`the help of ${command} has all of its exit codes`, async (t) => {
    const { code, stdout } = await runCli(t, [command, '--help']);
    const [, list = ''] = stdout.split('Exit codes:\n');
    const named = [...list.matchAll(/^ +(\d[\d+n]*) /gm)].map(([, name]) => name);
    assert.deepEqual([code, named.join(' ')], [0, codes]);
  });
}

test('the host program answers for itself when it is used in a wrong way', async (t) => {
  const host = join(root, 'bin/codemode-host.js');
  const shell = `${shellWord(process.execPath)} ${shellWord(host)} --nonsense; echo "exit $?"`;
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
