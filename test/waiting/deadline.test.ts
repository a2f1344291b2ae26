import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { test } from 'node:test';
import { deadline } from '../../src/waiting/deadline.js';

const late = (): Error => new Error('late');

test('the signal is aborted with the error of the limit when the time is over', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { signal } = deadline(1_000, late);
  t.mock.timers.tick(999);
  assert.equal(signal.aborted, false);
  t.mock.timers.tick(1);
  assert.equal(signal.reason.message, 'late');
});

test('the signal is aborted with the reason of the one that was given, also when that had fired before', () => {
  const caller = new AbortController();
  const limit = deadline(60_000, late, caller.signal);
  caller.abort('enough');
  assert.equal(limit.signal.reason, 'enough');
  limit.clear();
  const after = deadline(60_000, late, caller.signal);
  assert.equal(after.signal.reason, 'enough');
  after.clear();
});

test('what is cleared neither fires nor listens any more', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const caller = new AbortController();
  const limit = deadline(1, late, caller.signal);
  limit.clear();
  t.mock.timers.tick(5);
  assert.equal(limit.signal.aborted, false);
  assert.deepEqual(getEventListeners(caller.signal, 'abort'), []);
});

test('a limit that is longer than any timer of Node is none, not a short one', (t) => {
  const set = t.mock.method(globalThis, 'setTimeout');
  deadline(2 ** 31, late).clear();
  deadline(Number.POSITIVE_INFINITY, late).clear();
  assert.equal(set.mock.callCount(), 0);
});
