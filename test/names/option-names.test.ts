import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkOptionNames } from '../../src/names/option-names.js';

const known = { timeoutMs: true, signal: true } as const;

test('options whose names are known pass, whatever their values are, and none at all as well', () => {
  for (const options of [
    {},
    { signal: undefined },
    { timeoutMs: 'x', signal: new AbortController().signal },
    Object.create(null),
  ])
    checkOptionNames('call', options, known);
});

test('a name that is nearly right is told with the one that was meant, any other with those that there are', () => {
  assert.throws(() => checkOptionNames('call', { timeout: 5 }, known), {
    name: 'CodemodeError',
    code: 'invalid-argument',
    message: 'call: the option timeout is not known; did you mean timeoutMs? known are timeoutMs, signal',
    data: { call: 'call', option: 'timeout' },
  });
  assert.throws(() => checkOptionNames('call', { url: 'x' }, known), {
    message: 'call: the option url is not known; known are timeoutMs, signal',
  });
});

test('the beginning of a name means it, and so does a name with more behind it', () => {
  const options = { maxHeapSizeBytes: true, env: true } as const;
  for (const [given, meant] of [
    ['maxHeap', 'maxHeapSizeBytes'],
    ['environment', 'env'],
  ] as const)
    assert.throws(() => checkOptionNames('call', { [given]: 1 }, options), {
      message: new RegExp(`did you mean ${meant}[?]`),
    });
  assert.throws(() => checkOptionNames('call', { m: 1 }, options), { message: /is not known; known are/ });
});

test('options within options are named with their place', () => {
  assert.throws(() => checkOptionNames('call', { signall: 1 }, known, 'limits'), {
    message: /^call: the option limits\.signall is not known; did you mean limits\.signal\? /,
    data: { call: 'call', option: 'limits.signall' },
  });
  assert.throws(() => checkOptionNames('call', 5, known, 'limits'), {
    message: 'call: limits must be an object, got a number',
    data: { call: 'call', option: 'limits' },
  });
});

test('what is inherited by every object is no option', () => {
  assert.throws(() => checkOptionNames('call', { toString: 1 }, known), { data: { call: 'call', option: 'toString' } });
});

test('a signal that is none is refused', () => {
  for (const [signal, kind] of [
    [null, 'null'],
    [new AbortController(), 'an object'],
    [new EventTarget(), 'an object'],
    [{ aborted: false, addEventListener: () => {} }, 'an object'],
  ] as const)
    assert.throws(() => checkOptionNames('call', { signal }, known), {
      message: `call: signal must be an AbortSignal, got ${kind}`,
      data: { call: 'call', option: 'signal' },
    });
});

test('what is no object is refused', () => {
  for (const [options, kind] of [
    [null, 'null'],
    [undefined, 'nothing'],
    [[], 'an array'],
    ['x', 'a string'],
    [() => {}, 'a function'],
  ] as const)
    assert.throws(() => checkOptionNames('call', options, known), {
      code: 'invalid-argument',
      message: `the options of call must be an object, got ${kind}`,
    });
});
