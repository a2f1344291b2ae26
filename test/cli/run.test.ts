import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { optionsOf } from '../../src/cli/options.js';
import { patience } from '../support/cli.js';
import { type Ended, events, example, groupEnds, launch, program, Run } from './launch.js';

let folder = '';
const file = (name: string): string => join(folder, name);

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'codemode-cli-'));
  const tool = (body: string): string =>
    `export const tools = { t: { description: 'd', inputSchema: {}, handler: async (input, { signal }) => { ${body} } } };`;
  const files = {
    'one.js': 'text("one"); store("k", 1);',
    'two.js': 'text("two " + load("k"));',
    'fails.js': '\n\ntext(null.x);',
    'binary.js': Buffer.from([0x74, 0xff, 0xfe]),
    'echo.mjs': tool('if (input.fail) throw new Error(input.fail); return input;'),
    'stray.mjs': tool('setTimeout(() => { throw new Error("stray") }); await new Promise(() => {});'),
    'handle.mjs': `setInterval(() => {}, 1000); ${tool('return 1;')}`,
    'host-exit7.mjs': '#!/usr/bin/env node\nconsole.error("one\\ntwo\\nthree"); process.exitCode = 7;',
    'host-silent.mjs': '#!/usr/bin/env node\nprocess.stdin.resume(); setTimeout(() => process.exit(), 10_000);',
    'host-shows.mjs':
      '#!/usr/bin/env node\nconsole.error(JSON.stringify([process.argv.slice(2), process.env])); process.exitCode = 7;',
  };
  for (const [name, content] of Object.entries(files)) {
    await writeFile(file(name), content, { mode: 0o755 });
  }
});
after(() => rm(folder, { recursive: true }));

const last = (ended: Ended) => events(ended).at(-1);

test('text goes to stdout, one item a line, and the exit code is 0', async () => {
  assert.deepEqual(await launch(['-e', 'text(1 + 1); text("a\\nb"); text("")']), {
    code: 0,
    signal: null,
    stdout: '2\na\nb\n\n',
    stderr: '',
  });
});

test('a failing cell is shown with its place, the line and a caret, and the exit code is 1', async () => {
  const thrown = await launch(['-e', 'throw new Error("x")']);
  assert.equal(thrown.code, 1);
  assert.equal(thrown.stderr, '[eval]:1:7\n  throw new Error("x")\n        ^\n  Error: x\n      at [eval]:1:7\n');
  const inFile = await launch([file('fails.js')]);
  assert.equal(inFile.code, 1);
  assert.ok(
    inFile.stderr.startsWith(`${file('fails.js')}:3:11\n  text(null.x);\n            ^\n  TypeError: `),
    inFile.stderr,
  );
});

test('the time limit ends even an endless loop, names itself and its value, and the exit code is 4', async () => {
  const ended = await launch(['-e', 'text("before"); while(true){}', '--timeout', '500']);
  assert.deepEqual(ended, {
    code: 4,
    signal: null,
    stdout: 'before\n',
    stderr: '[eval]: the cell was ended by its time limit (timeout) of 500 ms\n',
  });
});

test('cells share a session, run in order, and stop at the first that does not complete', async () => {
  const ended = await launch([file('one.js'), file('two.js'), '-', '-e', 'text("never")'], {
    input: 'text("three"); throw 4',
  });
  assert.equal(ended.stdout, 'one\ntwo 1\nthree\n');
  assert.equal(ended.stderr, '[stdin]: 4\n');
  assert.equal(ended.code, 1);
});

test('with --json every line is an event, and the last one is the result', async () => {
  const source = 'text(1); notify("n"); await tools.t({a: 1}); await tools.t({fail: "no"}).catch(text); nope';
  const ended = await launch(['--json', '--tools', file('echo.mjs'), '-e', source]);
  assert.equal(ended.code, 1);
  const all = events(ended);
  const count = (type: string): number => all.filter((event) => event.type === type).length;
  assert.deepEqual([all[0]?.type, all[1]?.type, all.at(-1)?.type], ['host', 'started', 'result']);
  assert.deepEqual([count('tool-call'), count('tool-result'), count('notification'), count('result')], [2, 2, 1, 1]);
  const results = all.filter((event) => event.type === 'tool-result');
  assert.deepEqual(
    results.map(({ id, name, ok, error }) => [id, name, ok, error]),
    [
      ['tool-1', 't', true, undefined],
      ['tool-2', 't', false, 'no'],
    ],
  );
  const items = all.filter((event) => event.type === 'content').flatMap((event) => event.items as { text: string }[]);
  assert.deepEqual(
    items.map(({ text }) => text),
    ['1', 'no'],
  );
  const result = all.at(-1);
  assert.equal(result?.status, 'failed');
  assert.deepEqual(result?.error, {
    message: 'ReferenceError: nope is not defined\n    at [eval]:1:87',
    file: '[eval]',
    line: 1,
    column: 87,
  });
  assert.equal(ended.stderr, '');
});

test('mistakes in the command or its files are usage errors, in JSON too', async () => {
  const mistakes: readonly [readonly string[], RegExp][] = [
    [[], /^no cell given/],
    [['--tols', 'x'], /^unknown option --tols; did you mean --tools\?$/],
    [['--timeout', '0', '-e', ''], /^--timeout must be a whole number from 1 to 2147483647, got "0"$/],
    [['nowhere.js'], /^cannot read cell nowhere\.js: no such file \(it was looked for at \/.*\/nowhere\.js\)$/],
    [['.'], /^cannot read cell \.: is a directory$/],
    [['binary.js'], /^cannot read cell binary\.js: it is not valid UTF-8$/],
    [['--tools', 'one.js', '-e', ''], /^one\.js: cannot be loaded: /],
    [['--tools', 'nowhere.mjs', '--host', '/no/such/host', '-e', ''], /^nowhere\.mjs: cannot be loaded: /],
  ];
  for (const [args, message] of mistakes) {
    const plain = await launch(args, { cwd: folder });
    assert.equal(plain.code, 2, args.join(' '));
    assert.equal(plain.stdout, '');
    assert.match(plain.stderr.replace('codemode-run: ', '').split('\n')[0] ?? '', message);
    const json = await launch(['--json', ...args], { cwd: folder });
    assert.equal(json.code, 2);
    assert.equal(json.stderr, '');
    const event = last(json);
    assert.equal(event?.type, 'error');
    assert.match(String(event?.message), message);
  }
});

test('a host that cannot be started is named, with a hint, and the exit code is 3', async () => {
  const ended = await launch(['--host', '/no/such/host', '-e', '1']);
  assert.equal(ended.code, 3);
  assert.equal(
    ended.stderr,
    'codemode-run: failed to spawn code-mode host /no/such/host: No such file or directory (os error 2)\n' +
      'hint: program not found: /no/such/host does not exist\n',
  );
});

test('nobody has to end their input to hear that there is no host', async () => {
  const ended = await launch(['--json', '--host', '/no/such/host', '-'], { input: null });
  assert.equal(ended.code, 3);
  assert.equal(last(ended)?.code, 'spawn-failed');
});

test('a host that ends or is silent in the handshake is one clear line, and the exit code is 3', async () => {
  const exits = await launch(['--host', file('host-exit7.mjs'), '-e', '1']);
  assert.equal(exits.code, 3);
  assert.match(exits.stderr, /^codemode-run: .*exit status: 7.*one \| two \| three\n$/);
  const silent = await launch(['--host', file('host-silent.mjs'), '--handshake-timeout', '300', '-e', '1']);
  assert.equal(silent.code, 3);
  assert.match(silent.stderr, /^codemode-run: timed out .* 300 ms.*\n$/);
});

test('the host gets its arguments exactly, and of our environment only what was asked for', async () => {
  const exact = ['--id', '1e3', '007', '', '--timeout', '5', '--', '"q"'];
  const args = exact.flatMap((argument) => ['--host-arg', argument]);
  const set = ['--env', 'GIVEN=a=b', '--env', 'TAKEN', '--env', 'ABSENT'];
  const ended = await launch(['--json', '--host', file('host-shows.mjs'), ...args, ...set, '-e', '1'], {
    env: { ...process.env, TAKEN: 't', SECRET_TOKEN: 's' },
  });
  const { data } = last(ended) as unknown as { data: { stderr: string } };
  const [argv, env] = JSON.parse(data.stderr) as [string[], Record<string, string>];
  assert.deepEqual(argv, exact);
  assert.equal(env.GIVEN, 'a=b');
  assert.equal(env.TAKEN, 't');
  assert.equal('ABSENT' in env, false);
  assert.equal('SECRET_TOKEN' in env, false);
});

for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const) {
  test(`${signal} ends the host's group, then us with ${code}, and has the last word`, async () => {
    const run = new Run(['--json', '-e', 'text("busy"); while(true){}']);
    const host = await run.hostPid();
    await run.says('busy');
    run.child.kill(signal);
    const ended = await run.ended;
    assert.equal(ended.code, code);
    assert.deepEqual(last(ended), {
      type: 'error',
      code: 'cancelled',
      message: `ended by ${signal}`,
      data: { signal },
    });
    await groupEnds(host);
  });
}

test('when we are killed, host and runners follow within a second', async () => {
  const run = new Run(['--json', '-e', 'text("busy"); while(true){}']);
  const host = await run.hostPid();
  await run.says('busy');
  run.child.kill('SIGKILL');
  await groupEnds(host, patience(1_000));
  assert.equal((await run.ended).signal, 'SIGKILL');
});

test('a reader that has had enough ends the run without a word', async () => {
  const run = new Run(['--json', '-e', 'for(;;) text("x".repeat(1000))']);
  const host = await run.hostPid();
  await run.says('xxx');
  run.child.stdout.destroy();
  const { code, stderr } = await run.ended;
  assert.deepEqual([code, stderr], [141, '']);
  await groupEnds(host);
});

test('32 MiB reach a slow reader whole', async () => {
  const cell = 'text("z".repeat(32 * 1024 * 1024))';
  const child = spawn('sh', ['-c', `"$0" "$1" -e '${cell}' | (sleep 1; wc -c)`, process.execPath, program]);
  let counted = '';
  for await (const chunk of child.stdout) counted += String(chunk);
  assert.equal(counted.trim(), String(32 * 1024 * 1024 + 1));
});

test('output that cannot be written is an error', { skip: process.platform !== 'linux' }, async () => {
  const child = spawn('sh', ['-c', '"$0" "$1" -e "text(1)" > /dev/full', process.execPath, program]);
  let stderr = '';
  for await (const chunk of child.stderr) stderr += String(chunk);
  assert.match(stderr, /^codemode-run: cannot write to stdout: ENOSPC/);
});

test('a tool that throws where nobody can catch it ends the run, with an error as the last event', async () => {
  const ended = await launch(['--json', '--tools', file('stray.mjs'), '-e', 'await tools.t({})']);
  assert.equal(ended.code, 1);
  assert.equal(last(ended)?.code, 'uncaught');
  assert.match(String(last(ended)?.message), /Error: stray/);
});

test('handles that a tool module leaves open do not keep the run alive', async () => {
  const ended = await launch(['--tools', file('handle.mjs'), '-e', 'text(await tools.t({}))']);
  assert.deepEqual([ended.code, ended.stdout], [0, '1\n']);
});

test('a picture becomes a file', async () => {
  const out = file('pictures');
  const ended = await launch([example('picture.js'), '--out-dir', out]);
  assert.equal(ended.stdout, `5 bars\n[image ${join(out, 'cell-1-1.svg')}: image/svg+xml, 303 bytes]\n`);
  assert.deepEqual(await readdir(out), ['cell-1-1.svg']);
});

test('--verbose shows on stderr what happens to the host', async () => {
  const { stdout, stderr } = await launch(['--verbose', '-e', 'text(1)']);
  assert.equal(stdout, '1\n');
  assert.match(
    stderr,
    /^\[codemode-run\] started .*\n\[codemode-run\] ready after .*\n(.*\n)*\[codemode-run\] pid \d+ ended: /,
  );
});

test('help names every option, every default and every exit code', async () => {
  const { code, stdout, stderr } = await launch(['--help']);
  assert.deepEqual([code, stderr], [0, '']);
  for (const [name, option] of optionsOf('run')) {
    assert.ok(stdout.includes(`--${name}`), name);
    if (option.initial !== undefined) assert.ok(stdout.includes(`[default: ${option.initial}]`), name);
  }
  assert.doesNotMatch(stdout, /\S\[default/);
  for (const words of ['0 ', '1 ', '2 ', '3 ', '4 ', '128+n']) assert.ok(stdout.includes(`\n  ${words}`), words);
});

test('the version is that of the package', async () => {
  const about = JSON.parse(await readFile(new URL('../../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  assert.equal((await launch(['--version'])).stdout, `${about.version}\n`);
});
