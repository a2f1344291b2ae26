import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { WebSocketServer } from 'ws';
import { ExecServerClient } from '../../src/exec-server/client/index.js';
import { loadTerminals } from '../../src/exec-server/server/terminals.js';
import { DETACHED_SESSION_MS, ENDED_PROCESS_MS } from '../../src/exec-server/wire/index.js';
import { WebSocketPeer } from '../exec-server/connection/websocket-peer.js';
import { type Message, serve, startParams, uri } from '../exec-server/server/peer.js';
import { killSleepers, sleepers, uniqueSeconds } from '../exec-server/server/trees.js';
import { CliRun, patience, root, runCli } from '../support/cli.js';
import { eventually } from '../support/processes.js';
import { statements } from './exec-server.js';
import { TestTitles } from './test-titles.js';

const terminals = 'missing' in (await loadTerminals()) ? { skip: '@lydell/node-pty is not installed here' } : {};

test('every statement from 1 to 202 stands in the table once, in order, with its words', () => {
  assert.deepEqual(
    statements.map(({ number }) => number),
    Array.from({ length: 202 }, (_, at) => at + 1),
  );
  for (const { number, says } of statements) assert.ok(says.length > 5, `${number}`);
});

test('every statement has tests, or a reason why it has none', () => {
  // Literals on purpose: whoever leaves something open, or out, is to decide it.
  const having = (key: 'open' | 'notApplicable'): number[] =>
    statements.filter((statement) => statement[key] !== undefined).map(({ number }) => number);
  assert.deepEqual(having('open'), [51]);
  assert.deepEqual(having('notApplicable'), [192, 193]);
  for (const { number, tests, open, notApplicable } of statements) {
    const reason = open ?? notApplicable;
    assert.ok(reason === undefined || reason.length > 20, `${number} has no reason`);
    assert.ok((notApplicable === undefined) === tests.length > 0 || open !== undefined, `${number} has no test`);
  }
});

test('every test that the table names is there, under that title', () => {
  const known = new Map<string, TestTitles>();
  for (const { number, tests } of statements) {
    for (const { file, title } of tests) {
      const path = join(root, 'test/exec-server', `${file}.test.ts`);
      assert.ok(existsSync(path), `${number}: no file ${file}`);
      const titles = known.get(file) ?? new TestTitles(withRows(path));
      known.set(file, titles);
      assert.ok(titles.has(title), `${number}: no test in ${file} is called: ${title}`);
    }
  }
});

/** A test and what it imports from its own folder, where the rows of its titles may stand. */
function withRows(path: string): string {
  const source = readFileSync(path, 'utf8');
  const rows = [...source.matchAll(/ from '(\.\/[\w-]+)\.js'/g)].map(
    ([, name]) => `${join(dirname(path), name ?? '')}.ts`,
  );
  return [source, ...rows.map((row) => readFileSync(row, 'utf8'))].join('\n');
}

test('every deliberate difference is a row of docs/exec-server.md', () => {
  const rows = readFileSync(join(root, 'docs/exec-server.md'), 'utf8').split('\n');
  for (const { number, differs } of statements) {
    for (const words of differs)
      assert.ok(
        rows.some((row) => row.startsWith(`| ${words}`)),
        `${number}: ${words}`,
      );
  }
});

test('9: a file method before initialize is refused with its own words', async (t) => {
  const { code, message } = await serve(t)
    .connect()
    .error('fs/readFile', { path: uri('/x') });
  assert.deepEqual([code, message], [-32600, 'client must call initialize before using filesystem methods']);
});

test('22, 27: over stdio a message on several lines is malformed line by line, also before initialize', async (t) => {
  const stdin = '{\n"id": 1,\n"method": "zzz"}\r\n{"id":2,"method":""}\n';
  const { code, stdout } = await runCli(t, ['exec-server', '--listen', 'stdio'], { stdin });
  assert.equal(code, 0);
  const answers = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Message);
  assert.deepEqual(
    answers.map(({ id, error }) => [id, error?.code]),
    [
      [-1, -32600],
      [-1, -32600],
      [-1, -32600],
      [2, -32601],
    ],
  );
  const prefix = 'failed to parse JSON-RPC message from exec-server stdio: ';
  for (const { error } of answers.slice(0, 3)) assert.ok(error?.message.startsWith(prefix), error?.message);
});

test('33: an empty method is an unknown one', async (t) => {
  const { code, message } = await serve(t).connect().error('');
  assert.deepEqual([code, message], [-32601, 'exec-server stub does not implement `` yet']);
});

test('59: fifty clients at once get fifty sessions', async (t) => {
  const run = new CliRun(t, ['exec-server'], { openStdin: true });
  const [url] = await run.seen(/^ws:\/\/[\d.:]+/);
  const sessions = Array.from({ length: 50 }, async () => {
    const peer = await WebSocketPeer.open(t, url);
    peer.say({ id: 1, method: 'initialize', params: { clientName: 'x' } });
    return ((await peer.next()).result as { sessionId: string }).sessionId;
  });
  assert.equal(new Set(await Promise.all(sessions)).size, 50);
  run.child.kill('SIGTERM');
  assert.equal((await run.finish()).code, 0);
});

test('63: authentication of WebSockets over stdio is refused with exit code 1', async (t) => {
  const auth = ['--ws-auth', 'capability-token', '--ws-token-file', '/dev/null'];
  const { code, stderr } = await runCli(t, ['exec-server', '--listen', 'stdio', ...auth]);
  assert.equal(code, 1);
  assert.match(stderr, /requires a WebSocket listener, not stdio/);
});

test('104, 114: a silent process has an empty page, and output that is there does not wait', async (t) => {
  const peer = await serve(t).ready();
  await peer.start('cat', ['cat'], { pipeStdin: true });
  assert.deepEqual(await peer.result('process/read', { processId: 'cat' }), {
    chunks: [],
    nextSeq: 1,
    exited: false,
    exitCode: null,
    closed: false,
    failure: null,
    sandboxDenied: false,
  });
  await peer.result('process/write', { processId: 'cat', chunk: 'YQo=', writeId: '1' });
  await peer.printed('cat', /a/);
  const { chunks } = await peer.result('process/read', { processId: 'cat', waitMs: 3_600_000 });
  assert.equal(chunks?.length, 1);
});

test('133, 143: an empty chunk is accepted; after a terminate output can be read, and the id is taken', async (t) => {
  const peer = await serve(t).ready();
  await peer.start('cat', ['cat'], { pipeStdin: true });
  for (const [writeId, chunk] of [
    ['1', ''],
    ['2', 'YQo='],
  ]) {
    assert.deepEqual(await peer.result('process/write', { processId: 'cat', chunk, writeId }), { status: 'accepted' });
  }
  await peer.printed('cat', /a/);
  await peer.result('process/terminate', { processId: 'cat' });
  await peer.closed('cat');
  assert.equal((await peer.result('process/read', { processId: 'cat' })).chunks?.[0]?.chunk, 'YQo=');
  const { message } = await peer.error('process/start', startParams('cat', ['true']));
  assert.equal(message, 'process cat already exists');
});

test('145: an interrupt that is not trapped ends a process with 130', async (t) => {
  const peer = await serve(t).ready();
  await peer.start('sleep', ['sleep', '60']);
  await peer.result('process/signal', { processId: 'sleep', signal: 'interrupt' });
  await peer.closed('sleep');
  assert.equal(peer.events('sleep').at(-2)?.params?.exitCode, 130);
});

test('179: an empty session id is an unknown one', async (t) => {
  const { code, message } = await serve(t).connect(true).error('initialize', { clientName: 'x', resumeSessionId: '' });
  assert.deepEqual([code, message], [-32600, 'unknown session id ']);
});

test('182: SIGKILL of the server ends a terminal child that ignores a hang-up, too', terminals, async (t) => {
  const seconds = uniqueSeconds();
  t.after(() => killSleepers(seconds));
  const run = new CliRun(t, ['exec-server', '--listen', 'stdio'], { openStdin: true });
  const argv = ['/bin/sh', '-c', 'trap "" HUP; sleep "$0"; :', seconds];
  for (const message of [
    { id: 1, method: 'initialize', params: { clientName: 'x' } },
    { method: 'initialized' },
    { id: 2, method: 'process/start', params: startParams('t', argv, { tty: true }) },
  ]) {
    run.child.stdin.write(`${JSON.stringify(message)}\n`);
  }
  await run.seen(/"id":2,"result"/);
  await eventually(() => sleepers(seconds).length === 2);
  run.child.kill('SIGKILL');
  await run.ended;
  await eventually(() => sleepers(seconds).length === 0);
});

test('183: SIGTERM drops the clients of a WebSocket server and kills their processes, within 4 s', async (t) => {
  const seconds = uniqueSeconds();
  t.after(() => killSleepers(seconds));
  const run = new CliRun(t, ['exec-server'], { openStdin: true });
  const [url] = await run.seen(/^ws:\/\/[\d.:]+/);
  const peer = await WebSocketPeer.open(t, url);
  peer.say({ id: 1, method: 'initialize', params: { clientName: 'x' } });
  peer.say({ method: 'initialized' });
  peer.say({ id: 2, method: 'process/start', params: startParams('a', ['sleep', seconds]) });
  await peer.next();
  assert.ok((await peer.next()).result);
  const began = performance.now();
  run.child.kill('SIGTERM');
  assert.equal((await run.finish()).code, 0);
  assert.equal((await peer.closed).code, 1001);
  await eventually(() => sleepers(seconds).length === 0);
  assert.ok(performance.now() - began < patience(4_000));
});

test('185: an ended process is known for 80 s after its end; the number is that of sessions, too', async (t) => {
  assert.deepEqual([ENDED_PROCESS_MS, DETACHED_SESSION_MS], [80_000, 80_000]);
  const peer = await serve(t).ready();
  t.mock.timers.enable({ apis: ['setTimeout'] });
  await peer.start('ended', ['true']);
  await peer.closed('ended');
  t.mock.timers.tick(79_000);
  assert.equal((await peer.result('process/read', { processId: 'ended' })).closed, true);
  t.mock.timers.tick(2_000);
  assert.equal((await peer.error('process/read', { processId: 'ended' })).message, 'unknown process id ended');
});

test('198: a client reads binary messages like text', async (t) => {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  t.after(() => server.close());
  await once(server, 'listening');
  server.on('connection', (socket) => {
    socket.on('message', (data) => {
      const { id, method } = JSON.parse(String(data)) as { id?: number; method: string };
      const result = method === 'initialize' ? { sessionId: 'binary' } : { status: 'ready' };
      if (id !== undefined) socket.send(Buffer.from(JSON.stringify({ id, result })), { binary: true });
    });
  });
  const { port } = server.address() as { port: number };
  const client = await ExecServerClient.connectWebSocket({ url: `ws://127.0.0.1:${port}` });
  assert.deepEqual([client.sessionId, await client.environmentStatus()], ['binary', 'ready']);
  await client.close();
});
