import assert from 'node:assert/strict';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type TestContext, test } from 'node:test';
import { parseExecServerArguments } from '../../../src/cli/exec-server-arguments.js';
import { loadTerminals } from '../../../src/exec-server/server/terminals.js';
import { CliRun, runCli } from '../../support/cli.js';
import { eventually } from '../../support/processes.js';
import { needsLimits } from './limit-trial.js';
import { startParams, temporaryFolder } from './peer.js';
import { daemonTree, inheriting, killSleepers, sleepers, trees, uniqueSeconds } from './trees.js';

const message = (...argv: string[]): string => {
  try {
    parseExecServerArguments(argv);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return 'no error';
};

test('an address is a literal one with a port, or stdio', () => {
  const listen = (url: string): unknown => {
    const parsed = parseExecServerArguments(['--listen', url]);
    return parsed.command === 'exec-server' ? parsed.listen : undefined;
  };
  assert.deepEqual(listen('ws://[::1]:0'), { kind: 'ws', host: '::1', port: 0 });
  assert.deepEqual(listen('stdio://'), { kind: 'stdio' });
  for (const url of ['ws://localhost:0', 'ws://127.0.0.1', 'ws://127.0.0.1:0/path', 'ws://127.0.0.1:99999']) {
    assert.equal(message('--listen', url), `invalid websocket --listen URL \`${url}\`; expected \`ws://IP:PORT\``);
  }
  for (const url of ['wss://127.0.0.1:0', 'http://127.0.0.1:0', '127.0.0.1:0', 'stdio:', '', 'WS://127.0.0.1:0']) {
    assert.equal(
      message('--listen', url),
      `unsupported --listen URL \`${url}\`; expected \`ws://IP:PORT\` or \`stdio\``,
    );
  }
});

test('options that contradict each other are refused in the words of the reference', () => {
  assert.match(message('--ws-auth', 'capability-token'), /`--ws-token-file` or `--ws-token-sha256` is required/);
  assert.match(message('--ws-token-file', 'x'), /websocket auth flags require/);
  const token = ['--ws-auth', 'capability-token', '--ws-token-file', 'x'];
  assert.match(message(...token, '--ws-token-sha256', 'y'), /mutually exclusive/);
  assert.match(message(...token, '--ws-issuer', 'y'), /--ws-issuer can not be used/);
  assert.match(message('--ws-auth', 'signed-bearer-token'), /`--ws-shared-secret-file` is required/);
  assert.match(message('--listen', 'stdio', ...token), /requires a WebSocket listener, not stdio/);
  assert.match(message('--concurrent-requests', '0'), /must be a whole number from 1 to 1024/);
  assert.match(message('--listne', 'x'), /did you mean --listen/);
  assert.match(message('x'), /takes no argument/);
});

test('mistakes end with 2, refusals with 1, help with 0', async (t) => {
  assert.equal((await runCli(t, ['exec-server', '--nope'])).code, 2);
  const refused = await runCli(t, ['exec-server', '--listen', 'http://x']);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /^codemode-run: unsupported --listen URL/);
  const folder = await temporaryFolder(t);
  await writeFile(join(folder, 'short'), 'abc');
  const args = ['exec-server', '--ws-auth', 'signed-bearer-token', '--ws-shared-secret-file', join(folder, 'short')];
  assert.match((await runCli(t, args)).stderr, /must be at least 32 bytes/);
  const help = await runCli(t, ['exec-server', '--help']);
  assert.equal(help.code, 0);
  for (const option of ['--listen', '--detached-ttl', '--accept-native-paths', '--ws-auth']) {
    assert.ok(help.stdout.includes(option), option);
  }
});

test('everything that was sent before the end of input is answered, on a stdout with nothing else, and the code is 0', async (t) => {
  const lines = [
    { id: 1, method: 'initialize', params: { clientName: 'x' } },
    { method: 'initialized' },
    { id: 2, method: 'process/start', params: startParams('a', ['sleep', '60']) },
    { id: 3, method: 'process/read', params: { processId: 'a', waitMs: 60_000 } },
    { id: 4, method: 'zzz' },
  ];
  const stdin = lines.map((line) => JSON.stringify(line)).join('\n');
  const ended = await runCli(t, ['exec-server', '--listen', 'stdio'], { stdin });
  assert.deepEqual([ended.code, ended.stderr], [0, '']);
  const answers = ended.stdout
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { id?: number }).id);
  assert.deepEqual(answers.filter((id) => id !== undefined).sort(), [1, 2, 3, 4]);
});

test('a server of WebSockets prints its address and ends with 0 when it is told to', async (t) => {
  const run = new CliRun(t, ['exec-server'], { openStdin: true });
  await run.seen(/^ws:\/\/127\.0\.0\.1:[1-9][0-9]*\n$/);
  run.child.kill('SIGTERM');
  const ended = await run.finish();
  assert.equal(ended.code, 0);
  assert.equal(ended.stdout.split('\n').length, 2);
});

/** Loaded before the program: fails in it when told to. */
const failing = `process.once('SIGUSR2', function onPurpose() { throw new Error('on\\npurpose\\u001b'); });`;

test('a fault that nobody expects ends the server with where it was thrown, each thing on a line of its own', async (t) => {
  const file = join(await temporaryFolder(t), 'failing.mjs');
  await writeFile(file, failing);
  const run = new CliRun(t, ['exec-server'], { openStdin: true, env: { NODE_OPTIONS: `--import ${file}` } });
  await run.seen(/^ws:/);
  run.child.kill('SIGUSR2');
  const { code, stderr } = await run.finish();
  assert.equal(code, 1);
  const [first, frame, ...rest] = stderr.trimEnd().split('\n');
  assert.equal(first, 'codemode-run: exec-server: Error: on\\npurpose\\u001b');
  assert.match(frame ?? '', /^ {2}at .*onPurpose \(.*failing\.mjs:1:\d+\)$/);
  for (const line of rest) assert.match(line, /^ {2}at /);
});

/** A server with one tree of processes, over stdio. */
async function withTree(
  t: TestContext,
  script: string,
  env: Readonly<Record<string, string>> = {},
  more: object = inheriting,
): Promise<{ run: CliRun; seconds: string }> {
  const seconds = uniqueSeconds();
  t.after(() => killSleepers(seconds));
  const run = new CliRun(t, ['exec-server', '--listen', 'stdio'], { openStdin: true, env });
  const started = new Promise<void>((resolve) => {
    createInterface(run.child.stdout).on('line', (line) => {
      if (/dXAK|dXAN/.test(line)) resolve(); // "up", also of a terminal
    });
  });
  for (const line of [
    { id: 1, method: 'initialize', params: { clientName: 'x' } },
    { method: 'initialized' },
    { id: 2, method: 'process/start', params: startParams('t', ['/bin/sh', '-c', script, seconds], more) },
  ]) {
    run.child.stdin.write(`${JSON.stringify(line)}\n`);
  }
  await started;
  await eventually(() => sleepers(seconds).length > 0);
  return { run, seconds };
}

const ends: Readonly<Record<string, (run: CliRun) => void>> = {
  'the end of input': (run) => run.child.stdin.end(),
  SIGTERM: (run) => run.child.kill('SIGTERM'),
  SIGKILL: (run) => run.child.kill('SIGKILL'),
};

for (const [end, act] of Object.entries(ends)) {
  for (const [name, script] of Object.entries(trees)) {
    test(`${end} leaves nothing of a tree behind: ${name}`, async (t) => {
      const { run, seconds } = await withTree(t, script);
      act(run);
      await run.ended;
      await eventually(() => sleepers(seconds).length === 0);
    });
  }
}

for (const [end, act] of Object.entries(ends)) {
  for (const tty of 'missing' in loadTerminals() ? [false] : [false, true]) {
    const place = tty ? 'a terminal' : 'pipes';
    test(`${end} leaves no daemon behind that was given its whole environment: ${place}`, needsLimits, async (t) => {
      const { run, seconds } = await withTree(t, daemonTree, {}, { tty });
      await eventually(() => sleepers(seconds).length === 2);
      act(run);
      await run.ended;
      await eventually(() => sleepers(seconds).length === 0);
    });
  }
}

test('nothing stays in the temporary folder, whether something was started or not', async (t) => {
  const TMPDIR = await temporaryFolder(t);
  const stdin = `${JSON.stringify({ id: 1, method: 'initialize', params: { clientName: 'x' } })}\n`;
  await runCli(t, ['exec-server', '--listen', 'stdio'], { stdin, env: { TMPDIR } });
  assert.deepEqual(await readdir(TMPDIR), []);
  for (const act of Object.values(ends)) {
    const { run } = await withTree(t, trees.plain ?? '', { TMPDIR });
    assert.equal((await readdir(TMPDIR)).length, 1);
    act(run);
    await run.ended;
    await eventually(async () => (await readdir(TMPDIR)).length === 0);
  }
});

test('cells get the tools with --exec, and one of the two ways only', async (t) => {
  const cell = 'text(await tools.exec_command({cmd: "echo hi; exit 3"}))';
  const { code, stdout } = await runCli(t, ['--exec', '-e', cell]);
  assert.equal(code, 0);
  assert.match(stdout, /"output":"hi\\n".*"exit_code":3/);
  assert.equal((await runCli(t, ['--exec', '--exec-server', 'ws://127.0.0.1:1', '-e', cell])).code, 2);
  assert.equal((await runCli(t, ['--exec-server', 'http://127.0.0.1:1', '-e', cell])).code, 2);
});

test('cells get the tools of another server with --exec-server', async (t) => {
  const server = new CliRun(t, ['exec-server'], { openStdin: true });
  const [url] = await server.seen(/ws:\/\/\S+/);
  const { stdout } = await runCli(t, ['--exec-server', url, '-e', 'text(await tools.exec_command({cmd: "echo far"}))']);
  assert.match(stdout, /far/);
  server.child.kill('SIGTERM');
  await server.finish();
});
