import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../../support/processes.js';
import { type Peer, type Result, serve, sh } from './peer.js';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
let count = 0;
const write = (peer: Peer, processId: string, text: string, more: object = {}): Promise<Result> =>
  peer.result('process/write', { processId, chunk: base64(text), writeId: `w${++count}`, ...more });

test('what is written arrives, in the order of the requests, without waiting for answers', async (t) => {
  const peer = await serve(t).ready();
  await peer.start('cat', ['cat'], { pipeStdin: true });
  const texts = Array.from({ length: 200 }, (_, index) => `${index}\n`);
  const answers = await Promise.all(texts.map((text) => write(peer, 'cat', text)));
  assert.ok(answers.every(({ status }) => status === 'accepted'));
  await peer.printed('cat', /199\n/);
  assert.equal(peer.output('cat'), texts.join(''));
});

test('writes sent right behind the start, before its answer, arrive too', async (t) => {
  const peer = await serve(t).ready();
  const started = peer.start('early', ['cat'], { pipeStdin: true });
  const written = [write(peer, 'early', 'a'), write(peer, 'early', 'b'), write(peer, 'early', 'c\n', { eof: true })];
  await Promise.all([started, ...written]);
  await peer.closed('early');
  assert.equal(peer.output('early'), 'abc\n');
});

test('a mebibyte in one write reaches the child, and eof closes its stdin', async (t) => {
  const peer = await serve(t).ready();
  await peer.start('wc', ['wc', '-c'], { pipeStdin: true });
  await write(peer, 'wc', 'a'.repeat(1_048_576), { eof: true });
  await peer.closed('wc');
  assert.equal(peer.output('wc').trim(), '1048576');
});

test('nothing is accepted that can not arrive', async (t) => {
  const peer = await serve(t).ready();
  const status = async (id: string): Promise<unknown> => (await write(peer, id, 'x')).status;
  assert.equal(await status('nope'), 'unknownProcess');
  await peer.start('plain', ['sleep', '60']);
  assert.equal(await status('plain'), 'stdinClosed', 'without pipeStdin');
  await peer.start('ended', ['true'], { pipeStdin: true });
  await peer.closed('ended');
  assert.equal(await status('ended'), 'stdinClosed', 'after its end');
  await peer.start('deaf', sh('exec 0<&-; echo closed; sleep 60'), { pipeStdin: true });
  await peer.printed('deaf', /closed/);
  let last: unknown;
  await eventually(async () => {
    last = await status('deaf');
    return last === 'stdinClosed';
  });
  assert.equal(last, 'stdinClosed', 'after it closed its stdin and a write has failed');
});

test('a repeated write id counts once, also with other bytes', async (t) => {
  const peer = await serve(t).ready();
  await peer.start('cat', ['cat'], { pipeStdin: true });
  for (const text of ['one\n', 'one\n', 'two\n']) await write(peer, 'cat', text, { writeId: 'same' });
  await write(peer, 'cat', 'end\n', { eof: true });
  await peer.closed('cat');
  assert.equal(peer.output('cat'), 'one\nend\n');
});

test('a repeated write is accepted again, also when it was the last that could be', async (t) => {
  const peer = await serve(t).ready();
  await peer.start('cat', ['cat'], { pipeStdin: true });
  const last = { writeId: 'last', eof: true };
  for (let again = 0; again < 2; again += 1) assert.equal((await write(peer, 'cat', 'x\n', last)).status, 'accepted');
  await peer.closed('cat');
  assert.equal((await write(peer, 'cat', 'x\n', last)).status, 'accepted');
  assert.equal((await write(peer, 'cat', 'x\n')).status, 'stdinClosed');
  assert.equal(peer.output('cat'), 'x\n');
});

test('the last 4096 write ids are remembered', async (t) => {
  const peer = await serve(t).ready();
  await peer.start('cat', ['cat'], { pipeStdin: true });
  for (let index = 0; index < 4_097; index += 1) {
    const params = { processId: 'cat', chunk: '', writeId: `id${index}` };
    peer.send({ id: `sent${index}`, method: 'process/write', params });
  }
  await peer.until(() => (peer.messages.some(({ id }) => id === 'sent4096') ? true : undefined), 'the last answer');
  await write(peer, 'cat', 'remembered\n', { writeId: 'id1' });
  await write(peer, 'cat', 'forgotten\n', { writeId: 'id0', eof: true });
  await peer.closed('cat');
  assert.equal(peer.output('cat'), 'forgotten\n');
});

test('chunks that are not base64, and ids that are none, are refused', async (t) => {
  const peer = await serve(t).ready();
  const message = async (over: object): Promise<[number, string]> => {
    const refused = await peer.error('process/write', { processId: 'x', chunk: '', writeId: 'w', ...over });
    return [refused.code, refused.message];
  };
  assert.deepEqual(await message({ chunk: '***' }), [-32602, 'Invalid symbol 42, offset 0.']);
  for (const chunk of ['YQ', '-_-_', 'YQ==\n', 'YR==', 5, null]) assert.equal((await message({ chunk }))[0], -32602);
  assert.deepEqual(await message({ writeId: '' }), [-32602, 'writeId must not be empty']);
  assert.deepEqual(await message({ writeId: 'ü'.repeat(129) }), [-32602, 'writeId must not exceed 256 bytes']);
  assert.deepEqual(await message({ writeId: undefined }), [-32602, 'missing field `writeId`']);
});

test('a child that never reads holds up neither its own end nor anybody else', async (t) => {
  const peer = await serve(t).ready();
  await peer.start('deaf', ['sleep', '60'], { pipeStdin: true });
  const chunk = 'a'.repeat(65_536);
  const writes = Array.from({ length: 200 }, () => write(peer, 'deaf', chunk));
  assert.deepEqual(await peer.result('environment/status'), { status: 'ready' });
  assert.deepEqual(await peer.result('process/terminate', { processId: 'deaf' }), { running: true });
  await peer.closed('deaf');
  await Promise.all(writes);
});
