import assert from 'node:assert/strict';
import { test } from 'node:test';
import { base64Length, fromBase64, LateBase64, toBase64 } from '../../../src/exec-server/wire/base64.js';

test('bytes of every length come back as they were', () => {
  for (let length = 0; length < 300; length++) {
    const bytes = Buffer.from(Array.from({ length }, (_, index) => (index * 37 + length) % 256));
    assert.deepEqual(fromBase64(toBase64(bytes)), bytes);
    assert.equal(base64Length(length), toBase64(bytes).length);
    assert.equal(JSON.stringify(new LateBase64(bytes)), JSON.stringify(toBase64(bytes)));
  }
  assert.equal(toBase64(new Uint8Array([255, 254, 0, 1]).subarray(1, 3)), '/gA=');
  assert.equal(toBase64(Buffer.from('//4AAQ==', 'base64')), '//4AAQ==');
});

test('what is not strictly base64 is refused in the words of the reference', () => {
  const cases: readonly (readonly [value: string, complaint: string])[] = [
    ['***', 'Invalid symbol 42, offset 0.'],
    ['-_==', 'Invalid symbol 45, offset 0.'],
    ['aGkK\n', 'Invalid symbol 10, offset 4.'],
    ['aGk', 'Invalid padding'],
    ['aQ', 'Invalid padding'],
    ['aGkK=', 'Invalid padding'],
    ['aR==', 'Invalid last symbol 82, offset 1.'],
    ['aGl=', 'Invalid last symbol 108, offset 2.'],
    ['aGkKa', 'Invalid input length: 5'],
    ['a===', 'Invalid symbol 61, offset 1.'],
    ['====', 'Invalid symbol 61, offset 0.'],
    ['=', 'Invalid padding'],
    ['a=b=', 'Invalid symbol 61, offset 1.'],
  ];
  for (const [value, message] of cases)
    assert.throws(() => fromBase64(value), { code: 'protocol-error', message }, value);
});

test('20 MB are checked and decoded in one go', () => {
  const bytes = Buffer.alloc(20_000_000, 7);
  assert.equal(fromBase64(toBase64(bytes)).length, bytes.length);
});
