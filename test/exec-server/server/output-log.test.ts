import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OutputLog } from '../../../src/exec-server/server/output-log.js';

const filled = (log: OutputLog, count: number, size: number): OutputLog => {
  for (let index = 0; index < count; index += 1) log.append('stdout', Buffer.alloc(size, index));
  return log;
};

const seqs = (log: OutputLog, after: number, maxBytes?: number): number[] =>
  log.read(after, maxBytes).chunks.map(({ seq }) => seq);

test('numbers start at 1 and are shared by output and other events', () => {
  const log = new OutputLog();
  assert.equal(log.append('stdout', Buffer.from('a')).seq, 1);
  assert.equal(log.takeNumber(), 2);
  assert.equal(log.append('stderr', Buffer.from('b')).seq, 3);
  assert.deepEqual(seqs(log, 0), [1, 3]);
  assert.equal(log.nextSeq, 4);
});

test('a page has at least one chunk, and no more bytes than asked for otherwise', () => {
  const log = filled(new OutputLog(), 5, 6);
  for (const most of [0, 1, 5, 6, 7]) assert.deepEqual(seqs(log, 0, most), [1], `${most}`);
  for (const most of [12, 13]) assert.deepEqual(seqs(log, 0, most), [1, 2], `${most}`);
  assert.deepEqual(seqs(log, 3, 1_000), [4, 5]);
});

test('with a limit a page ends behind its last chunk, without one at the next number', () => {
  const log = filled(new OutputLog(), 5, 6);
  log.takeNumber();
  assert.equal(log.read(0, 1_000).nextSeq, 6);
  assert.equal(log.read(0, undefined).nextSeq, 7);
  assert.equal(log.read(5, 1_000).nextSeq, 7, 'nothing to return');
});

test('every cursor finds what a search from the start finds', () => {
  const log = filled(new OutputLog({ bytes: 200, chunks: 50 }), 100, 10);
  for (let after = 0; after < 105; after += 1) {
    const expected = Array.from({ length: 20 }, (_, index) => 81 + index).filter((seq) => seq > after);
    assert.deepEqual(seqs(log, after), expected, `after ${after}`);
  }
});

test('the oldest whole chunks are evicted, and the reader can see how much it missed', () => {
  const log = filled(new OutputLog({ bytes: 100, chunks: 1_000 }), 10, 30);
  assert.deepEqual(seqs(log, 0), [8, 9, 10]);
  assert.equal(log.retainedBytes, 90);
  assert.equal(log.firstSeq, 8);
  assert.equal(log.droppedBytes, 210);
  assert.equal(log.hasLostAfter(6), true);
  assert.equal(log.hasLostAfter(7), false, 'a reader that was up to date lost nothing');
});

test('an event among evicted output is no loss', () => {
  const log = new OutputLog({ bytes: 10, chunks: 10 });
  log.append('stdout', Buffer.alloc(10));
  log.takeNumber();
  log.append('stdout', Buffer.alloc(10));
  assert.equal(log.hasLostAfter(0), true);
  assert.equal(log.hasLostAfter(1), false);
});

test('what output takes counts every chunk, however small', () => {
  const [small, large] = [filled(new OutputLog(), 8_192, 1), filled(new OutputLog(), 1, 8_192)];
  assert.equal(small.retainedBytes, large.retainedBytes);
  assert.ok(small.heldBytes > 100 * large.heldBytes);
});

test('no more than 50,000 chunks are retained, and 1 MiB', () => {
  const small = filled(new OutputLog(), 60_000, 1);
  assert.equal(small.read(0, undefined).chunks.length, 50_000);
  assert.equal(small.firstSeq, 10_001);
  const large = filled(new OutputLog(), 400, 8_192);
  assert.equal(large.retainedBytes, 1_048_576);
});
