import assert from 'node:assert/strict';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { CodemodeError } from '../../../src/errors.js';
import { ExecServerClient } from '../../../src/exec-server/client/index.js';
import { cliFile } from '../../support/cli.js';
import { eventually, isAlive } from '../../support/processes.js';
import { codeOf } from './read-events.js';
import { ScriptedHost } from './scripted-host.js';

/** A server in one line: it shakes hands and does what `then` says with every other message. */
const server = (then: string) => ({
  command: process.execPath,
  args: [
    '-e',
    `let text = '';
    process.stdin.on('data', (chunk) => {
      text += chunk;
      const lines = text.split('\\n');
      text = lines.pop();
      for (const line of lines) {
        const { id, method } = JSON.parse(line);
        if (method === 'initialize') console.log(JSON.stringify({ id, result: { sessionId: 's', pid: process.pid } }));
        else if (id !== undefined) { ${then} }
      }
    });`,
  ],
});

test('a server that cannot be started is a spawn failure that names it', async () => {
  await assert.rejects(ExecServerClient.connectStdio({ command: '/no/such/server' }), (error: CodemodeError) => {
    assert.equal(error.code, 'spawn-failed');
    assert.equal(error.message, 'failed to spawn exec-server /no/such/server: No such file or directory (os error 2)');
    return true;
  });
});

test('a server that ends at once is told with its exit status and its last words', async () => {
  const dying = { command: process.execPath, args: ['-e', 'console.error("no licence"); process.exit(3)'] };
  await assert.rejects(ExecServerClient.connectStdio(dying), (error: CodemodeError) => {
    assert.equal(error.code, 'connection-lost');
    assert.equal(error.message, 'exec-server transport disconnected: the server ended (exit status: 3)');
    assert.equal(error.data.stderr, 'no licence\n');
    return true;
  });
});

test('a server that dies takes everything pending with it, with the reason', async () => {
  const client = await ExecServerClient.connectStdio(server('process.kill(process.pid, "SIGKILL")'));
  const calls = [codeOf(client.environmentInfo()), codeOf(client.environmentInfo())];
  assert.deepEqual(await Promise.all(calls), ['connection-lost', 'connection-lost']);
  assert.match(client.reason?.message ?? '', /signal: 9 \(SIGKILL\)/);
  await client.close();
});

test('a server that prints something else loses its client', async () => {
  const client = await ExecServerClient.connectStdio(server('console.log("listening")'));
  await assert.rejects(client.environmentInfo(), {
    code: 'protocol-error',
    message: /cannot be read: expected value at/,
  });
  await client.close();
});

test('lines of stderr are handed over, and never block the server', async () => {
  const lines: string[] = [];
  const client = await ExecServerClient.connectStdio({
    ...server('console.error("x".repeat(300000)); console.log(JSON.stringify({ id, result: { status: "ready" } }))'),
    onStderrLine: (line) => lines.push(line),
  });
  assert.equal(await client.environmentStatus(), 'ready');
  await client.close();
  assert.equal(lines.length, 1);
});

test('a server ends with its client, also one that does not want to', { timeout: 30_000 }, async () => {
  for (const stubborn of ['', 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000);']) {
    const { command, args } = server('console.log(JSON.stringify({ id, result: { pid: process.pid } }))');
    const client = await ExecServerClient.connectStdio({ command, args: ['-e', `${stubborn}${args[1]}`] });
    const { pid } = (await client.call('pid', {})) as { pid: number };
    assert.ok(isAlive(pid));
    await client.close();
    await eventually(() => !isAlive(pid));
  }
});

test('an answer longer than any request may be is taken, and the server lives on', { timeout: 60_000 }, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'exec-client-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, 'file'), 'x');
  await truncate(join(folder, 'file'), 60 * 1_048_576);
  const args = [cliFile, 'exec-server', '--listen', 'stdio'];
  const client = await ExecServerClient.connectStdio({ command: process.execPath, args });
  t.after(() => client.close());
  assert.equal((await client.fs.readFile(join(folder, 'file'))).length, 60 * 1_048_576);
  await truncate(join(folder, 'file'), 450 * 1_048_576);
  await assert.rejects(client.fs.readFile(join(folder, 'file')), /file is too large to read: limit is 401996928 bytes/);
  assert.ok((await client.environmentInfo()).executorVersion);
  await client.close();
});

test('a listing with more values than any request may have is taken', async () => {
  const entries = Array.from({ length: 100_000 }, (_, name) => ({
    fileName: `${name}`,
    isDirectory: false,
    isFile: true,
  }));
  const host = new ScriptedHost({ 'fs/readDirectory': () => ({ entries }) });
  const client = await ExecServerClient.connectInProcess({ server: host });
  assert.equal((await client.fs.readDirectory('/x')).length, 100_000);
  await client.close();
});
