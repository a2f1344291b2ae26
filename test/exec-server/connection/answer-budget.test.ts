import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AnswerBudget } from '../../../src/exec-server/connection/answer-budget.js';
import { turns } from './raw-peer.js';

/** Asks for so many bytes, and notes when it gets them. */
function asking(budget: AnswerBudget, admitted: number[], bytes: number) {
  const claim = budget.claim();
  const outcome = claim.reserve(bytes).then(
    () => {
      admitted.push(bytes);
      return 'room';
    },
    (error: Error) => error.message,
  );
  return { claim, outcome };
}

test('any one answer may go when nothing is held, however large', async () => {
  const budget = new AnswerBudget(100);
  const admitted: number[] = [];
  const one = asking(budget, admitted, 1_000_000);
  asking(budget, admitted, 1);
  await turns(2);
  assert.deepEqual(admitted, [1_000_000]);
  one.claim.release();
  await turns(2);
  assert.deepEqual(admitted, [1_000_000, 1]);
});

test('room is given in the order of asking: a small one does not pass a large one', async () => {
  const budget = new AnswerBudget(100);
  const admitted: number[] = [];
  const [first] = [60, 50, 10, 41].map((bytes) => asking(budget, admitted, bytes));
  await turns(2);
  assert.deepEqual(admitted, [60]);
  first?.claim.release();
  await turns(2);
  assert.deepEqual(admitted, [60, 50, 10]);
});

test('an answer that is smaller than its claim makes room at once', async () => {
  const budget = new AnswerBudget(100);
  const admitted: number[] = [];
  const first = asking(budget, admitted, 100);
  asking(budget, admitted, 70);
  await turns(2);
  first.claim.settle(30);
  await turns(2);
  assert.deepEqual(admitted, [100, 70]);
});

test('what was not asked for is counted, and too much of it makes the budget full', async () => {
  const budget = new AnswerBudget(100);
  const admitted: number[] = [];
  const small = budget.claim();
  small.settle(99);
  asking(budget, admitted, 2);
  await turns(2);
  assert.deepEqual([admitted, budget.full], [[], false]);
  small.settle(100);
  assert.equal(budget.full, true);
  small.release();
  await turns(2);
  assert.deepEqual([admitted, budget.full], [[2], false]);
});

test('at its end everybody who waits, or comes later, is refused', async () => {
  const budget = new AnswerBudget(100);
  asking(budget, [], 100);
  const waiting = asking(budget, [], 100);
  budget.close(new Error('over'));
  assert.equal(await waiting.outcome, 'over');
  assert.equal(await asking(budget, [], 1).outcome, 'over');
});
