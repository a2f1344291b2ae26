import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { RpcConnection } from '../../../src/exec-server/connection/index.js';
import { ExecServer } from '../../../src/exec-server/server/index.js';
import { eventually } from '../../support/processes.js';
import { StuckChannel } from '../connection/stuck-channel.js';
import { type Result, serve, sh, startParams, temporaryFolder, uri } from './peer.js';

/** More than all answers of a connection together may have. */
const LARGE_BYTES = 52_000_000;

interface Stuck {
  readonly channel: StuckChannel;
  readonly ask: (id: string, method: string, params: object) => void;
  readonly answered: (id: string) => boolean;
  readonly result: (id: string) => Result;
}

/** A client that takes one message at a time, when it is told to. */
async function stuckClient(t: TestContext): Promise<Stuck> {
  const server = new ExecServer({ environment: process.env, version: '0.0.0' });
  t.after(() => server.close());
  const channel = new StuckChannel();
  new RpcConnection(channel, (made) => server.handle(made, { resumable: false }), server.connectionOptions);
  const find = (id: string): string | undefined => channel.sent.find((text) => text.startsWith(`{"id":"${id}","res`));
  channel.hear('{"id":"i","method":"initialize","params":{"clientName":"x"}}');
  channel.hear('{"method":"initialized"}');
  await channel.drain();
  return {
    channel,
    ask: (id, method, params) => channel.hear(JSON.stringify({ id, method, params })),
    answered: (id) => find(id) !== undefined,
    result: (id) => (JSON.parse(find(id) ?? '{}') as { result: Result }).result,
  };
}

/** From here on there is no room: the answer is made, and the client has not taken it. */
async function fillUp(client: Stuck, folder: string): Promise<void> {
  const file = join(folder, 'large');
  await writeFile(file, '');
  await truncate(file, LARGE_BYTES);
  client.ask('large', 'fs/readFile', { path: uri(file) });
  await drained(client, 'large');
  await rm(file);
}

/** It takes one message after the other, up to this answer, which it is given and has not taken. */
async function drained({ channel, answered }: Stuck, id: string): Promise<void> {
  await eventually(() => {
    if (answered(id)) return true;
    channel.take();
    return false;
  });
}

/** Time for whatever does not wait to have read what it wants. */
async function timeToRead(folder: string): Promise<void> {
  for (let time = 0; time < 50; time++) await stat(folder);
}

const text = (base64: string | undefined): string => Buffer.from(base64 ?? '', 'base64').toString();
const names = ({ entries = [] }: Result): string =>
  entries.map(({ fileName, path }) => fileName ?? path.split('/').at(-1)).join();
const options = { maxDepth: 1, maxDirectories: 10, maxEntries: 50_000, followDirectorySymlinks: false };

const reads: Readonly<Record<string, { params: (folder: string) => object; told: (result: Result) => string }>> = {
  'fs/readFile': { params: (folder) => ({ path: uri(join(folder, 'new')) }), told: (r) => text(r.dataBase64) },
  'fs/readBlock': { params: () => ({ handleId: 'new', offset: 0, len: 100 }), told: (r) => text(r.chunk) },
  'fs/readDirectory': { params: (folder) => ({ path: uri(folder) }), told: names },
  'fs/walk': { params: (folder) => ({ path: uri(folder), options }), told: names },
};

for (const [method, { params, told }] of Object.entries(reads)) {
  test(`${method} waits until there is room for its answer, and reads only then`, async (t) => {
    const folder = await temporaryFolder(t);
    await writeFile(join(folder, 'new'), '');
    const client = await stuckClient(t);
    client.ask('open', 'fs/open', { handleId: 'new', path: uri(join(folder, 'new')) });
    await drained(client, 'open');
    await fillUp(client, folder);
    client.ask('late', method, params(folder));
    await timeToRead(folder);
    await writeFile(join(folder, 'new'), 'new');
    await writeFile(join(folder, 'newer'), '');
    await drained(client, 'late');
    assert.match(told(client.result('late')), /^new(,newer)?$/);
    assert.equal(told(client.result('late')).includes('newer'), told === names);
  });
}

test('process/read waits for room too, and tells what is there by then; a terminate does not wait', async (t) => {
  const folder = await temporaryFolder(t);
  const client = await stuckClient(t);
  const script = `echo one; echo $$ > p; mv p pid; read line; echo two; echo > done; exec sleep 300`;
  client.ask('start', 'process/start', {
    ...startParams('p', sh(script)),
    cwd: uri(folder),
    pipeStdin: true,
  });
  await drained(client, 'start');
  const there = (name: string): Promise<void> => eventually(() => existsSync(join(folder, name)));
  await there('pid');
  await fillUp(client, folder);
  client.ask('late', 'process/read', { processId: 'p' });
  await timeToRead(folder);
  client.ask('write', 'process/write', { processId: 'p', chunk: 'Cg==', writeId: '1' });
  await there('done');
  client.ask('end', 'process/terminate', { processId: 'p' });
  const pid = Number(await readFile(join(folder, 'pid'), 'utf8'));
  // Reaped, not only dead: what it has written is read then.
  await eventually(() => !existsSync(`/proc/${pid}`));
  assert.equal(client.answered('end'), false);
  await drained(client, 'late');
  const { chunks = [] } = client.result('late');
  assert.equal(chunks.map(({ chunk }) => text(chunk)).join(''), 'one\ntwo\n');
});

test('another connection does not wait', async (t) => {
  const folder = await temporaryFolder(t);
  await fillUp(await stuckClient(t), folder);
  await writeFile(join(folder, 'new'), 'new');
  const other = await serve(t).ready();
  assert.equal(text((await other.result('fs/readFile', { path: uri(join(folder, 'new')) })).dataBase64), 'new');
});

test('a file of several blocks arrives as it is', async (t) => {
  const folder = await temporaryFolder(t);
  const peer = await serve(t).ready();
  for (const size of [4_094, 4_095, 786_431, 786_432, 786_433, 2_500_000]) {
    const bytes = randomBytes(size);
    await writeFile(join(folder, 'file'), bytes);
    const { dataBase64 } = await peer.result('fs/readFile', { path: uri(join(folder, 'file')) });
    assert.ok(bytes.equals(Buffer.from(dataBase64 ?? '', 'base64')), `${size} bytes`);
    assert.equal(dataBase64, bytes.toString('base64'));
  }
});
