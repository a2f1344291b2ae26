import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { MessageLines } from '../../src/mcp/message-lines.js';

const text = 'one\n\n{"two": "ü☕😀"}\r\nthree';
const bytes = Buffer.from(text);

function lines(chunks: readonly Buffer[], limit = 1_000): { found: string[]; partial: number; whole: boolean } {
  const found: string[] = [];
  const reader = new MessageLines(limit);
  const whole = chunks.every((chunk) => reader.add(chunk, (line) => found.push(line)));
  return { found, partial: reader.partial, whole };
}

test('lines are whole wherever the stream was cut', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(bytes.length), { maxLength: bytes.length }), (cuts) => {
      const ends = [...new Set([0, ...cuts, bytes.length])].sort((one, other) => one - other);
      const chunks = ends.slice(1).map((end, index) => bytes.subarray(ends[index], end));
      assert.deepEqual(lines(chunks), { found: ['one', '', '{"two": "ü☕😀"}\r'], partial: 5, whole: true });
    }),
  );
});

test('a line may be as long as the limit, and not a byte longer', () => {
  assert.deepEqual(lines([Buffer.from('12'), Buffer.from('345\n1')], 5), { found: ['12345'], partial: 1, whole: true });
  assert.equal(lines([Buffer.from('12'), Buffer.from('3456\n')], 5).whole, false);
  assert.equal(lines([Buffer.from('12345'), Buffer.from('6')], 5).whole, false);
});

test('what is no UTF-8 is replaced', () => {
  assert.deepEqual(lines([Buffer.from([0x61, 0xff, 0x0a])]).found, ['a\ufffd']);
});

test('a long line in many pieces takes time in proportion', () => {
  const piece = Buffer.alloc(65_536, 'x');
  const chunks = [...Array.from({ length: 1_000 }, () => piece), Buffer.from('\n')];
  assert.equal(lines(chunks, 2 ** 27).found[0]?.length, 65_536_000);
});
