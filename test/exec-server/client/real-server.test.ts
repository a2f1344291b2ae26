import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { ExecServerClient } from '../../../src/exec-server/client/index.js';
import { root } from '../../support/cli.js';
import { eventually, isAlive } from '../../support/processes.js';
import { Wire } from './cut-wire.js';
import { allEvents, codeOf, collect } from './read-events.js';

const codex = join(root, '.peers/0.171.0/codex');
const options = { skip: existsSync(codex) ? false : 'skipped: run npm run peers', timeout: 60_000 };
const { PATH = '/usr/bin:/bin' } = process.env;

async function temporaryFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'exec-client-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** The same test over each way to the real server. */
function overEach(
  title: string,
  run: (t: TestContext, client: ExecServerClient, folder: string) => Promise<void>,
): void {
  test(`over stdio, ${title}`, options, async (t) => {
    const folder = await temporaryFolder(t);
    const env = { PATH, HOME: folder, CODEX_HOME: folder, RUST_LOG: 'off' };
    const args = ['exec-server', '--listen', 'stdio'];
    const client = await ExecServerClient.connectStdio({ command: codex, args, env });
    t.after(() => client.close());
    await run(t, client, folder);
    await client.close();
  });
  test(`over WebSocket, ${title}`, options, async (t) => {
    const folder = await temporaryFolder(t);
    const { url } = await listening(t, folder);
    const client = await ExecServerClient.connectWebSocket({ url });
    t.after(() => client.close());
    await run(t, client, folder);
    await client.close();
  });
}

async function listening(t: TestContext, folder: string) {
  const args = ['exec-server', '--listen', 'ws://127.0.0.1:0'];
  const env = { PATH, HOME: folder, CODEX_HOME: folder, RUST_LOG: 'off' };
  const server = spawn(codex, args, { env, stdio: ['ignore', 'pipe', 'ignore'] });
  const exited = once(server, 'exit');
  t.after(async () => {
    server.kill('SIGTERM');
    await exited;
  });
  const [line] = (await once(server.stdout, 'data')) as [Buffer];
  return { url: String(line).trim() };
}

const shell = (script: string, cwd: string) => ({ argv: ['/bin/sh', '-c', script], cwd, env: { PATH } });

overEach('a command runs, and its output, exit code and end are told', async (_t, client, folder) => {
  assert.equal(await client.environmentStatus(), 'ready');
  assert.equal((await client.environmentInfo()).platformOs, 'linux');
  const process = await client.start(shell('echo out; sleep 0.05; echo err >&2; exit 3', folder));
  const events = await allEvents(process);
  assert.ok(events.includes('out\n') && events.includes('stderr:err\n'), JSON.stringify(events));
  assert.deepEqual(
    events.filter((event) => typeof event !== 'string'),
    [{ exited: 3 }],
  );
  assert.equal(events.at(-1), 'closed');
  const { chunks, closed, exitCode } = await process.read();
  assert.deepEqual([chunks.length, closed, exitCode], [2, true, 3]);
});

overEach('stdin is written in order, and a termination is seen', async (_t, client, folder) => {
  const process = await client.start({ argv: ['cat'], cwd: folder, env: { PATH }, pipeStdin: true });
  const lines = Array.from({ length: 50 }, (_, index) => `${index}\n`);
  assert.deepEqual(new Set(await Promise.all(lines.map((line) => process.write(line)))), new Set(['accepted']));
  const iterator = process[Symbol.asyncIterator]();
  let text = '';
  while (text.length < lines.join('').length) {
    const { value } = await iterator.next();
    if (value?.type === 'output') text += Buffer.from(value.bytes);
  }
  assert.equal(text, lines.join(''));
  assert.deepEqual(await process.terminate(), { running: true });
  assert.deepEqual((await iterator.next()).value, { type: 'exited', code: 137, sandboxDenied: false });
  assert.deepEqual((await iterator.next()).value, { type: 'closed' });
  assert.deepEqual(await process.terminate(), { running: false });
});

overEach('a terminal echoes, and is interrupted by its own character and by a signal', async (_t, client, folder) => {
  for (const interrupt of ['\x03', 'signal'] as const) {
    const process = await client.start({ argv: ['cat'], cwd: folder, env: { PATH }, tty: true });
    await process.write('hi\n');
    const iterator = process[Symbol.asyncIterator]();
    let text = '';
    while (text !== 'hi\r\nhi\r\n') {
      const { value } = await iterator.next();
      assert.ok(value?.type === 'output' && value.stream === 'pty', JSON.stringify(value));
      text += Buffer.from(value.bytes);
    }
    if (interrupt === 'signal') await process.interrupt();
    else await process.write(interrupt);
    const rest = await collect({ [Symbol.asyncIterator]: () => iterator });
    assert.equal(rest.code, 1);
  }
});

overEach('files are written, read, listed, copied, walked and removed', async (_t, client, folder) => {
  const { fs } = client;
  await fs.createDirectory(join(folder, 'a/b'));
  await fs.writeFile(join(folder, 'a/ü x'), Buffer.from([255, 0, 10]));
  assert.deepEqual(await fs.readFile(join(folder, 'a/ü x')), Buffer.from([255, 0, 10]));
  const { isFile, isDirectory, isSymlink, size } = await fs.getMetadata(join(folder, 'a/ü x'));
  assert.deepEqual([isFile, isDirectory, isSymlink, size], [true, false, false, 3]);
  assert.deepEqual((await fs.readDirectory(join(folder, 'a'))).map(({ fileName }) => fileName).sort(), ['b', 'ü x']);
  await fs.copy(join(folder, 'a'), join(folder, 'c'), { recursive: true });
  const walked = await fs.walk(join(folder, 'c'), {
    maxDepth: 2,
    maxDirectories: 9,
    maxEntries: 9,
    followDirectorySymlinks: false,
  });
  assert.equal(walked.entries.length, 2);
  assert.match(await fs.canonicalize(join(folder, 'c')), /^file:\/\/.*\/c$/);
  await using file = await fs.open(join(folder, 'c/ü x'));
  assert.deepEqual(await file.read(1, 9), { bytes: Buffer.from([0, 10]), eof: true });
  await fs.remove(join(folder, 'c'));
  assert.equal(await codeOf(fs.readFile(join(folder, 'c/ü x'))), 'operation-failed');
});

overEach('5,000,000 bytes arrive complete and in order', async (_t, client, folder) => {
  const process = await client.start(shell('seq 1 730000', folder));
  const { text, code, missed } = await collect(process);
  const lines = text.trimEnd().split('\n');
  assert.deepEqual([lines.length, code, missed], [730_000, 0, 0]);
  assert.ok(lines.every((line, index) => line === `${index + 1}`));
});

overEach('a start that fails says why, and nothing is left of it', async (_t, client, folder) => {
  const processId = 'again';
  await assert.rejects(client.start({ argv: ['/no/such'], cwd: folder, processId }), {
    code: 'operation-failed',
    message: 'exec-server rejected request (-32603): No such file or directory (os error 2)',
  });
  const process = await client.start({ ...shell('exit 5', folder), processId });
  assert.equal((await collect(process)).code, 5);
  assert.equal(await codeOf(process.resize({ rows: 1, cols: 1 })), 'operation-failed');
});

overEach('closing the client ends its processes', async (_t, client, folder) => {
  const process = await client.start(shell('echo $$; exec sleep 1000', folder));
  const { value } = await process[Symbol.asyncIterator]().next();
  assert.ok(value?.type === 'output');
  const pid = Number(Buffer.from(value.bytes).toString());
  assert.ok(isAlive(pid));
  await client.close();
  await eventually(() => !isAlive(pid));
});

test('the real server resumes a session whose connection was cut, and no output is lost', options, async (t) => {
  const folder = await temporaryFolder(t);
  const { url } = await listening(t, folder);
  const wire = await Wire.to(t, Number(new URL(url).port));
  const client = await ExecServerClient.connectWebSocket({ url: wire.url });
  t.after(() => client.close());
  const process = await client.start({ ...shell('read go; seq 1 20000; read go; exit 4', folder), pipeStdin: true });
  wire.cut();
  await process.write('go\n');
  const iterator = process[Symbol.asyncIterator]();
  let text = '';
  while (!text.endsWith('\n20000\n')) {
    const { value } = await iterator.next();
    assert.equal(value?.type, 'output');
    if (value?.type === 'output') text += Buffer.from(value.bytes);
  }
  assert.equal(text.split('\n').length, 20_001);
  wire.cut();
  await process.write('go\n');
  const rest = await collect({ [Symbol.asyncIterator]: () => iterator });
  assert.deepEqual([rest.code, rest.missed], [4, 0]);
  assert.equal(wire.dialled, 3);
  await client.close();
});
