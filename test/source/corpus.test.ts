import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findingCodes } from '../../src/source/finding.js';
import { evaluate } from './corpus/evaluation.js';

const evaluation = evaluate();

test('every malformed cell of the corpus is noticed, but for the known misses', async () => {
  const { missed, surprises, malformed, knownMisses } = await evaluation;
  assert.deepEqual(missed, []);
  assert.deepEqual(surprises, [], 'noticed by now: take the mark away');
  assert.ok(malformed - knownMisses >= 150, `${malformed} cells, ${knownMisses} known misses`);
});

test('no good cell of the corpus gives a finding', async () => {
  const { falsePositives, good } = await evaluation;
  assert.deepEqual(falsePositives, []);
  assert.ok(good >= 100, `${good} cells`);
});

test('repaired cells put out what was meant, and what is uncertain is left alone', async () => {
  const { badRepairs, kinds } = await evaluation;
  assert.deepEqual(badRepairs, []);
  for (const [code, kind] of kinds) assert.equal(kind.repairedAndRuns, kind.repairable, code);
});

test('the corpus has every kind of finding', async () => {
  const { kinds } = await evaluation;
  assert.deepEqual([...kinds.keys()].sort(), Object.keys(findingCodes).sort());
});
