import assert from 'node:assert/strict';
import { once } from 'node:events';
import { truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { frame, rawSocket, Sleepers, scene, start, stdioScene } from './hostile-scene.js';
import { temporaryFolder, uri } from './server/peer.js';

// A client that does its worst, against the program as it is installed: it harms nobody but itself.

const MB = 1_048_576;
const REQUESTS = 10_000;
/** What a server may need more than before, which includes one message of 64 MiB and one copy of it. */
const LARGE_MESSAGE_MB = 220;
/** The same, when all that comes is small. */
const SMALL_MESSAGES_MB = 110;
/** The same, with the answers to as many requests as may be under way; all of those asked for would be 220. */
const HELD_ANSWERS_MB = 140;
/** The same, with the answers of 64 MiB that are made for one connection, and what it takes to make and send one. */
const LARGE_ANSWERS_MB = 200;
const LARGE_FILES = 60;
const LARGE_FILE_BYTES = 20 * MB;

const linux = { timeout: 60_000, skip: process.platform === 'linux' ? false : 'needs /proc' };

test('over WebSocket, garbage is answered or ends its own connection', linux, async (t) => {
  const { url, neighbour, hostile, survived } = await scene(t);
  const peer = await hostile();
  const garbage = ['garbage', '', '[]', '{"id":', '{"id":1.5,"method":"x"}', `${'['.repeat(100_000)}`, '\u0000'];
  for (const text of garbage) {
    peer.say(text);
    const { id, error } = await peer.next();
    assert.deepEqual([id, (error as { code: number }).code], [-1, -32600], text.slice(0, 20));
    await neighbour.isServed();
  }
  peer.say({ id: 2, method: 'environment/status' });
  assert.deepEqual(await peer.next(), { id: 2, result: { status: 'ready' } });
  peer.socket.send(Buffer.from([0xff, 0xfe, 0x00]), { binary: false });
  await peer.closed;
  for (const bytes of [
    Buffer.alloc(5_000, 0xff),
    Buffer.from('GET / HTTP/1.1\r\n\r\n'),
    frame(2 ** 52, Buffer.alloc(9)),
  ]) {
    const socket = await rawSocket(t, url);
    const closed = once(socket, 'close');
    socket.resume().write(bytes);
    await closed;
    await neighbour.isServed();
  }
  await survived(SMALL_MESSAGES_MB);
});

test('over WebSocket, 70 MB in one message end its own connection', linux, async (t) => {
  const { neighbour, hostile, survived } = await scene(t);
  const peer = await hostile();
  peer.say(start('mine', ['sleep', '60']));
  await peer.next();
  const part = Buffer.alloc(14_000_000, 'x');
  for (let sent = 1; sent <= 5; sent++) peer.socket.send(part, { fin: sent === 5, binary: false });
  await neighbour.isServed(10);
  assert.equal((await peer.closed).code, 1009);
  await survived(LARGE_MESSAGE_MB);
});

test('over WebSocket, 10,000 requests whose answers nobody reads are held back', linux, async (t) => {
  const { neighbour, memory, hostile, survived } = await scene(t);
  const file = join(await temporaryFolder(t), 'large');
  await writeFile(file, Buffer.alloc(16_384, 7));
  const peer = await hostile();
  peer.socket.pause();
  for (let id = 0; id < REQUESTS; id++) peer.say({ id, method: 'fs/readFile', params: { path: uri(file) } });
  await neighbour.isServed(100);
  await memory.settled();
  memory.bounded(t, HELD_ANSWERS_MB);
  await neighbour.isServed(100);
  peer.socket.terminate();
  await survived(HELD_ANSWERS_MB);
});

test('over WebSocket, 60 files of 20 MiB that nobody reads are read when there is room for them', linux, async (t) => {
  const { neighbour, memory, hostile, survived } = await scene(t);
  const file = await largeFile(t);
  const peer = await hostile();
  peer.socket.pause();
  for (let id = 0; id < LARGE_FILES; id++) peer.say({ id, method: 'fs/readFile', params: { path: uri(file) } });
  await neighbour.isServed(20);
  await memory.settled();
  peer.socket.resume();
  for (let id = 0; id < 8; id++) {
    const answer = await peer.next();
    assert.equal(answer.id, id);
    assert.equal((answer.result as { dataBase64: string }).dataBase64.length, Math.ceil(LARGE_FILE_BYTES / 3) * 4);
  }
  peer.socket.terminate();
  await survived(LARGE_ANSWERS_MB);
});

test('over WebSocket, 10,000 reads that wait are answered in the end', linux, async (t) => {
  const { neighbour, hostile, survived } = await scene(t);
  const peer = await hostile();
  peer.say(start('mine', ['cat'], { pipeStdin: true }));
  await peer.next();
  peer.socket.pause();
  const params = { processId: 'mine', waitMs: 500 };
  for (let id = 0; id < REQUESTS; id++) peer.say({ id, method: 'process/read', params });
  await neighbour.isServed(100);
  peer.socket.resume();
  peer.say({ id: 'end', method: 'process/terminate', params: { processId: 'mine' } });
  const answered = new Set<unknown>();
  while (answered.size < REQUESTS + 1) {
    const { id, method } = await peer.next();
    if (method === undefined) answered.add(id);
  }
  peer.socket.close();
  await survived(SMALL_MESSAGES_MB);
});

test('over WebSocket, who disappears in the middle of a message leaves nothing behind', linux, async (t) => {
  const { url, neighbour, hostile, survived } = await scene(t);
  for (const leave of ['end', 'resetAndDestroy'] as const) {
    for (const bytes of [
      Buffer.from([0x81]),
      frame(MB, Buffer.alloc(1_000, 'x')),
      frame(15 * MB, Buffer.alloc(14 * MB, 'x')),
    ]) {
      const socket = await rawSocket(t, url);
      await new Promise((resolve) => socket.write(bytes, resolve));
      socket[leave]();
      await neighbour.isServed();
    }
  }
  const peer = await hostile();
  const mine = new Sleepers(t);
  peer.say(mine.start);
  await mine.run();
  peer.say({ id: 'poll', method: 'process/read', params: { processId: 'mine', waitMs: 60_000 } });
  peer.socket.send('{"id":', { fin: false });
  peer.socket.terminate();
  await mine.gone();
  await survived(LARGE_MESSAGE_MB);
});

test('over stdio, garbage is answered, line by line, and the end is an orderly one', linux, async (t) => {
  const { run, say, memory, mine } = await stdioScene(t);
  for (let line = 0; line < 1_000; line++) say(`garbage ${line} ${'\u0001{['.repeat(line)}`);
  say({ id: 'after', method: 'environment/status' });
  await run.seen(/"id":"after","result"/);
  run.child.stdin.end();
  const { code, stdout, stderr } = await run.finish();
  assert.deepEqual([code, stderr], [0, '']);
  assert.equal(
    stdout.match(/"code":-32600,"message":"failed to parse JSON-RPC message from exec-server stdio: /g)?.length,
    1_000,
  );
  memory.bounded(t, SMALL_MESSAGES_MB);
  await mine.gone();
});

test('over stdio, a line of 70 MB ends the server, and what it runs', linux, async (t) => {
  const { run, memory, mine } = await stdioScene(t);
  run.child.stdin.write(Buffer.alloc(70_000_000, 'x'));
  const { code, stderr } = await run.finish();
  assert.equal(code, 0, stderr);
  assert.match(stderr, /67108864/);
  memory.bounded(t, LARGE_MESSAGE_MB);
  await mine.gone();
});

test('over stdio, bytes that are no text end the server, and what it runs', linux, async (t) => {
  const { run, mine } = await stdioScene(t);
  run.child.stdin.write(Buffer.from([0xff, 0xfe, 0x0a]));
  assert.equal((await run.finish()).code, 0);
  await mine.gone();
});

test('over stdio, 10,000 requests whose answers are read late are all answered', linux, async (t) => {
  const { run, say, memory, mine } = await stdioScene(t, true);
  const file = join(await temporaryFolder(t), 'large');
  await writeFile(file, Buffer.alloc(4_096, 7));
  for (let id = 0; id < REQUESTS; id++) say({ id, method: 'fs/readFile', params: { path: uri(file) } });
  await memory.settled();
  memory.bounded(t, SMALL_MESSAGES_MB);
  run.child.stdin.end();
  run.readStdout();
  const { code, stdout } = await run.finish();
  assert.equal(code, 0);
  assert.equal(stdout.match(/"dataBase64":"/g)?.length, REQUESTS);
  await mine.gone();
});

test('over stdio, 60 files of 20 MiB that nobody reads are read when there is room for them', linux, async (t) => {
  const { run, say, memory, mine } = await stdioScene(t, true);
  const file = await largeFile(t);
  for (let id = 0; id < LARGE_FILES; id++) say({ id, method: 'fs/readFile', params: { path: uri(file) } });
  await memory.settled();
  memory.bounded(t, LARGE_ANSWERS_MB);
  run.child.stdout.destroy();
  run.child.stdin.end();
  assert.equal((await run.finish()).code, 0);
  await mine.gone();
});

test('over stdio, who disappears in the middle of a message leaves nothing behind', linux, async (t) => {
  for (const half of ['{"id":7,"method":"environment/sta', '{', 'x'.repeat(30_000_000)]) {
    const { run, mine } = await stdioScene(t);
    run.child.stdin.end(half);
    run.child.stdout.destroy();
    run.child.stderr.destroy();
    assert.equal((await run.finish()).code, 0);
    await mine.gone();
  }
});

/** It takes no place on the disk. */
async function largeFile(t: TestContext): Promise<string> {
  const file = join(await temporaryFolder(t), 'large');
  await writeFile(file, '');
  await truncate(file, LARGE_FILE_BYTES);
  return file;
}
