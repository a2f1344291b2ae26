import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { root } from '../support/cli.js';
import { killMarked, MARK, markedProcesses } from '../support/marked-processes.js';
import { checkedNodes, currentNode, expectedDifferences, knownDifferences } from './cells/known-differences.js';
import { readExpected, readProbes } from './cells/probe.js';
import { type Different, runProbes } from './cells/run-probes.js';
import { ourHost } from './host-wire.js';

// The heavy probes need much memory and some time: CODEMODE_SLOW=1 runs them as well.
const heavyToo = process.env.CODEMODE_SLOW === '1';

const probes = readProbes().filter(({ heavy }) => heavyToo || heavy !== true);
const mark = randomUUID();
after(() => killMarked(mark));

/** A probe of which an answer is missing, or after which the host was not well. */
const isUnclear = ({ actual }: Different): boolean => actual.host_exit !== undefined || actual.steps.length === 0;

test('there is an expectation for every probe, once', () => {
  const names = readProbes().map(({ name }) => name);
  assert.equal(names.length, 368);
  assert.deepEqual([...new Set(names)].sort(), [...readExpected().keys()].sort());
});

test('every known difference is one of a probe, named once, and has its row if it is on purpose', () => {
  const names = new Set(readProbes().map(({ name }) => name));
  const known = knownDifferences.flatMap((one) => one.probes);
  assert.deepEqual(
    known.filter((name) => !names.has(name)),
    [],
  );
  assert.equal(new Set(known).size, known.length);
  const rows = readFileSync(join(root, 'docs', 'differences.md'), 'utf8').split('\n');
  const rowless = knownDifferences.filter(
    ({ row }) => !rows.some((line) => row === undefined || line.startsWith(`| ${row}`)),
  );
  assert.deepEqual(rowless, []);
  assert.ok(knownDifferences.filter(({ row }) => row !== undefined).length >= 5);
});

const unchecked = checkedNodes.includes(currentNode) ? false : `the table does not know Node ${currentNode}`;

test('cells of our host do what those of the reference do, but for the known differences', {
  skip: unchecked,
}, async () => {
  const different = await runProbes(probes, { program: ourHost, env: { [MARK]: mark } });
  const known = new Set(expectedDifferences());
  const run = new Set(probes.map(({ name }) => name));
  const describe = ({ probe, actual, expected }: Different) =>
    `${probe.name}: ${JSON.stringify({ actual, expected }).slice(0, 2_000)}`;
  assert.deepEqual(different.filter(({ probe }) => !known.has(probe.name)).map(describe), []);
  assert.deepEqual(
    different.map(({ probe }) => probe.name).sort(),
    [...known].filter((name) => run.has(name)),
  );
  // Also where the reference hangs or dies, there is an answer, and the host lives on to end as it should.
  assert.deepEqual(different.filter(isUnclear).map(describe), []);
  assert.deepEqual(markedProcesses(mark), []);
});
