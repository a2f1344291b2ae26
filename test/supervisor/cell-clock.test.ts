import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { CellClock } from '../../src/supervisor/cell-clock.js';

/** A clock of 100 ms, and time that passes when the test says so. */
function clock(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  let expired = 0;
  const made = new CellClock(100, () => (expired += 1));
  const pass = (ms: number): void => {
    now += ms;
    t.mock.timers.tick(ms);
  };
  return { made, pass, expired: () => expired };
}

test('a limit that stands still goes on with what was left', (t) => {
  const { made, pass, expired } = clock(t);
  pass(60);
  made.stand();
  pass(1_000_000);
  made.run();
  pass(39);
  assert.equal(expired(), 0);
  made.stand();
  pass(1_000);
  made.run();
  pass(1);
  assert.equal(expired(), 1);
});

test('standing twice and running twice is the same as once', (t) => {
  const { made, pass, expired } = clock(t);
  made.run();
  pass(50);
  made.stand();
  made.stand();
  pass(500);
  made.run();
  made.run();
  pass(49);
  assert.equal(expired(), 0);
  pass(1);
  pass(1_000);
  assert.equal(expired(), 1);
});

test('a clock that is disposed of never runs again', (t) => {
  const { made, pass, expired } = clock(t);
  made.stand();
  made.dispose();
  made.run();
  pass(1_000);
  assert.equal(expired(), 0);
});

test('a limit that no timer can count is none, held or not', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const made = new CellClock(Number.POSITIVE_INFINITY, () => assert.fail('it expired'));
  made.stand();
  made.run();
  t.mock.timers.tick(2 ** 31);
  made.dispose();
});
