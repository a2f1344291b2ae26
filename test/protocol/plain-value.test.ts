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

test('what no frame can hold is given up before all of it was looked at', () => {
  let looked = 0;
  const piece = 'x'.repeat(1_000_000);
  const part = {
    get text() {
      looked += 1;
      return piece;
    },
  };
  for (const value of [Array(1_000).fill(part), { list: Array(1_000).fill(part) }]) {
    looked = 0;
    assert.throws(() => plainValue(value, 'keep'), {
      code: 'frame-too-large',
      message: 'code-mode IPC frame length exceeds 67108864 bytes: hand over less of it at a time',
    });
    assert.equal(looked, 68);
  }
  // How large a single text is, the codec can tell.
  const large = 'x'.repeat(70_000_000);
  assert.equal(plainValue(large, 'keep'), large);
});

test('nothing that is small is taken for too large', () => {
  const values = [null, 0, '', false, [], {}, { a: undefined }, [undefined]];
  assert.deepEqual(plainValue(Array(1_000_000).fill(values[0]), 'keep'), Array(1_000_000).fill(null));
  assert.deepEqual(plainValue(values, 'keep'), JSON.parse(JSON.stringify(values)));
});

test('an object with a text or a number in it is that text or number, also when JSON has no such number', () => {
  assert.deepEqual(plainValue([new Number(Number.NaN), new String('x')], 'keep'), [null, 'x']);
});
