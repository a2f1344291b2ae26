import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { test } from 'node:test';
import { failure, Recorder } from '../connection/fake-host.js';
import { groupIsGone, isAlive } from '../support/processes.js';
import { but, node, silent, supervise } from './hosts.js';

const onWait = (act: string) =>
  but(`on = (m) => m.request?.method === 'session/wait' ? (() => { ${act} })() : normal(m);`);

const deaths: [string, string, string, string][] = [
  ['exits', 'process.exit(3)', 'code-mode host exited with status exit status: 3', 'host-exited'],
  ['exits with success', 'process.exit(0)', 'code-mode host exited with status exit status: 0', 'host-exited'],
  [
    'is killed',
    "process.kill(process.pid, 'SIGKILL')",
    'code-mode host exited with status signal: 9 (SIGKILL)',
    'host-exited',
  ],
  [
    'crashes by a signal',
    "process.kill(process.pid, 'SIGSEGV')",
    'code-mode host exited with status signal: 11 (SIGSEGV)',
    'host-exited',
  ],
  [
    'closes its stdout and lives on',
    "require('node:fs').closeSync(1)",
    'code-mode host closed its stdout',
    'host-closed',
  ],
  [
    'leaves a child that holds its stdout, and exits',
    "require('node:child_process').spawn('sleep', ['300'], { stdio: ['ignore', 'inherit', 'ignore'] }); process.exit(4)",
    'code-mode host exited with status exit status: 4',
    'host-exited',
  ],
];

for (const [name, act, text, code] of deaths) {
  test(`a host that ${name} while in use is one reason for all calls, before their limit, and leaves nothing`, async (t) => {
    const { host, pids } = supervise(t, onWait(act));
    const delegate = new Recorder();
    const session = await host.openSession({ delegate });
    await (await session.execute({ source: 'forever' })).initial;
    // What is only noticed by its limit, or when the child or the watchdog of the host ends, has another reason.
    const calls = [session.wait('1', { yieldTimeMs: 60_000 }), session.terminate('1')].map((call) => failure(call));
    for (const error of await Promise.all(calls)) {
      assert.equal(error.message, text);
      assert.equal(error.code, code);
    }
    assert.deepEqual(delegate.closed, ['1']);
    await host.close();
    await groupIsGone(pids()[0]!);
  });
}

/** Before the host or an abandoned wait ends by itself, and long after everything that works. */
const GUARD_MS = 30_000;

/** Reads without Node's streams, which cannot close the descriptor for good. */
const closesStdin = node(`
const { readSync, writeSync, closeSync } = require('node:fs');
const read = (size) => { const bytes = Buffer.alloc(size); for (let at = 0; at < size; ) at += readSync(0, bytes, at, size - at); return bytes; };
const receive = () => JSON.parse(read(read(4).readUInt32LE(0)));
const send = (message) => { const body = Buffer.from(JSON.stringify(message)); const head = Buffer.alloc(4); head.writeUInt32LE(body.length); writeSync(1, Buffer.concat([head, body])); };
receive();
send({ type: 'connection/ready', selectedVersion: 1, capabilities: [] });
const { id, request } = receive();
closeSync(0);
send({ type: 'operation/response', id, result: { status: 'ok', value: { type: 'session/ready', sessionId: request.sessionId } } });
setTimeout(() => {}, 60_000);
`);

test('a host that closes its stdin fails the next request, and is ended', async (t) => {
  const { host, pids } = supervise(t, closesStdin);
  const session = await host.openSession({ delegate: silent });
  const error = await failure(session.wait('1', { yieldTimeMs: 60_000 }));
  assert.equal(error.message, 'failed to write code-mode host message: Broken pipe (os error 32)');
  assert.equal(error.code, 'write-failed');
  await host.close();
  assert.equal(isAlive(pids()[0]!), false);
});

test('an answer and the exit in one go: the answer is delivered', async (t) => {
  const { host } = supervise(
    t,
    onWait("ok(m.id, { type: 'wait/completed', outcome: { LiveCell: result('1', 'last words') } }); process.exit(0);"),
  );
  const session = await host.openSession({ delegate: silent });
  const { items } = await session.wait('1', { yieldTimeMs: 60_000 });
  assert.deepEqual(items, [{ type: 'input_text', text: 'last words' }]);
});

test('a violation ends the host, and the next use gets another', async (t) => {
  const { host, pids } = supervise(t, onWait("send({ type: 'cell/closed', sessionId: 'nosuch', cellId: '1' });"));
  const session = await host.openSession({ delegate: silent });
  const error = await failure(session.wait('1', { yieldTimeMs: 60_000 }));
  assert.equal(error.message, 'code-mode host closed cell 1 in unknown session nosuch');
  await session.execute({ source: '' });
  assert.equal(session.id, 'session-2');
  assert.equal(pids().length, 2);
  assert.equal(isAlive(pids()[0]!), false);
});

test('a stopped host is given up at the limit, and ended', async (t) => {
  const { host, pids } = supervise(t, { ...but(), limits: { waitGraceMs: 50 } });
  const session = await host.openSession({ delegate: silent });
  process.kill(pids()[0]!, 'SIGSTOP');
  const error = await failure(session.wait('1', { yieldTimeMs: 1 }));
  assert.equal(error.message, 'code-mode host timed out waiting for wait response');
  await host.close();
  assert.equal(isAlive(pids()[0]!), false);
});

test('much stderr, or very long lines of it, disturb nothing', async (t) => {
  const { host, events } = supervise(
    t,
    but(
      "const line = 'x'.repeat(999) + '\\n'; for (let i = 0; i < 2000; i++) process.stderr.write(line); process.stderr.write(Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.alloc(1_000_000, 120)]));",
    ),
  );
  const session = await host.openSession({ delegate: silent });
  assert.equal((await (await session.execute({ source: 'x' })).initial).kind, 'result');
  assert.ok(events.filter(({ type }) => type === 'stderr').length > 100);
});

test('20 hosts that die one after another leave no process and no unhandled rejection', async (t) => {
  const { host, pids } = supervise(t, onWait('process.exit(1)'));
  const session = await host.openSession({ delegate: silent });
  for (let i = 1; i <= 20; i++) {
    const cell = await session.execute({ source: 'forever' });
    const error = await failure(session.wait(cell.id, { yieldTimeMs: 1 }));
    assert.equal(error.message, 'code-mode host exited with status exit status: 1');
    for (const pid of pids().slice(0, -1)) assert.equal(isAlive(pid), false);
  }
  assert.equal(pids().length, 20);
});

test('a script that closes its host ends by itself, with nothing left that keeps Node alive', async () => {
  const url = new URL('../../src/supervisor/host.js', import.meta.url).href;
  const { program, args } = but();
  const script = `
    const { Host } = await import(${JSON.stringify(url)});
    const host = new Host(${JSON.stringify({ program, args })});
    const session = await host.openSession({ delegate: { invokeTool: () => null } });
    const cell = await session.execute({ source: 'hello' });
    await cell.initial;
    await session.execute({ source: 'forever' });
    const abandoned = session.wait('2', { yieldTimeMs: 60_000 });
    abandoned.catch(() => undefined);
    await host.close();
    console.log(process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length);
  `;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: GUARD_MS,
    killSignal: 'SIGKILL',
  });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  assert.deepEqual([code, output], [0, '0\n'], 'it ended by itself, and no timer was left');
});
