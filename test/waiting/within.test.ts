import assert from 'node:assert/strict';
import { test } from 'node:test';
import { within } from '../../src/waiting/within.js';

const never = new Promise<never>(() => {});

test('work that is quick enough gives its value, and its timer is cleared', async (t) => {
  const cleared = t.mock.method(globalThis, 'clearTimeout');
  assert.equal(await within(Promise.resolve(1), 60_000, 'late'), 1);
  assert.equal(cleared.mock.callCount(), 1);
});

test('work that takes longer is not waited for', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const waiting = within(never, 1_000, 'late');
  t.mock.timers.tick(1_000);
  assert.equal(await waiting, 'late');
});

test('work that fails rejects, and one that fails too late is heard by nobody', async (t) => {
  await assert.rejects(within(Promise.reject(new Error('x')), 60_000, null), { message: 'x' });
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let fail = (_: Error): void => {};
  const work = new Promise<never>((_, reject) => {
    fail = reject;
  });
  const waiting = within(work, 1, 'late');
  t.mock.timers.tick(1);
  assert.equal(await waiting, 'late');
  fail(new Error('too late'));
});

test('a limit that is longer than any timer of Node is none, not a short one', async (t) => {
  const set = t.mock.method(globalThis, 'setTimeout');
  for (const ms of [2 ** 31, Number.POSITIVE_INFINITY])
    assert.equal(await within(new Promise((resolve) => setImmediate(resolve, 1)), ms, 'late'), 1);
  assert.equal(set.mock.callCount(), 0);
});
