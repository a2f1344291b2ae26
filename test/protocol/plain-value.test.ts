import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plainValue } from '../../src/protocol/plain-value.js';

test('a value becomes what JSON would make of it', () => {
  const value = {
    when: new Date(0),
    none: undefined,
    call() {},
    numbers: [Number.NaN, 1, undefined, Number.POSITIVE_INFINITY],
    boxed: [new String('s'), new Number(1), new Boolean(false)],
    map: new Map([[1, 2]]),
    nested: { toJSON: (key: string) => `key ${key}` },
  };
  assert.deepEqual(plainValue(value, 'base64'), JSON.parse(JSON.stringify(value)));
});

test('nothing becomes null', () => {
  assert.equal(plainValue(undefined, 'keep'), null);
});

test('bytes are kept, or become base64', () => {
  const bytes = Buffer.from('héllo');
  assert.equal((plainValue({ bytes }, 'keep') as { bytes: unknown }).bytes, bytes);
  assert.deepEqual(plainValue({ bytes }, 'base64'), { bytes: bytes.toString('base64') });
  const large = Buffer.alloc(100_000, 7);
  assert.equal(plainValue(large, 'base64'), large.toString('base64'));
});

test('cycles, bigints and more than 124 levels are refused', () => {
  const cycle: unknown[] = [];
  cycle.push(cycle);
  const nested = (levels: number) => JSON.parse('['.repeat(levels) + ']'.repeat(levels)) as unknown;
  for (const value of [cycle, 1n, nested(125)]) {
    assert.throws(() => plainValue(value, 'keep'), { code: 'invalid-argument' });
  }
  assert.deepEqual(plainValue(nested(124), 'keep'), nested(124));
});

test('a key named __proto__ stays data', () => {
  const value = JSON.parse('{"__proto__":{"x":1}}') as object;
  assert.deepEqual(Object.keys(plainValue(value, 'keep') as object), ['__proto__']);
});
