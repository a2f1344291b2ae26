import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Reading, readCell, stillParses } from '../../src/source/reading.js';

async function reading(text: string): Promise<Reading> {
  const found = await readCell(text);
  return found.program === undefined ? assert.fail(`no cell: ${text}`) : found;
}

test('a repair may not turn a cell that a host takes into one that it refuses', async () => {
  const taken = await reading('text(1)');
  const refused = await reading('return 1');
  assert.deepEqual([taken.lenient, refused.lenient], [false, true]);
  assert.equal(stillParses(taken, taken), true);
  assert.equal(stillParses(taken, refused), false);
  assert.equal(stillParses(refused, taken), true);
  // It was refused before: the next round may do better.
  assert.equal(stillParses(refused, refused), true);
});
