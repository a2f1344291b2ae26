import { deepEqual, equal } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, test } from 'node:test';
import { killMarked, MARK, markedProcesses } from '../support/marked-processes.js';
import { ourHost } from './host-wire.js';
import { Bench } from './statement.js';
import { statements } from './statements.js';

const mark = randomUUID();
after(() => killMarked(mark));

test('there are 101 statements about a host, each with a number of its own', () => {
  deepEqual(
    statements.map(({ id }) => id),
    Array.from({ length: 101 }, (_, index) => `H${String(index + 1).padStart(2, '0')}`),
  );
});

describe('Our host is what a V1 host has to be:', () => {
  for (const { id, says, slow, check } of statements) {
    const skip = slow && process.env.CODEMODE_SLOW !== '1' ? 'slow: set CODEMODE_SLOW=1' : false;
    test(`${id}: ${says}`, { skip }, async () => {
      const bench = new Bench(ourHost, { [MARK]: mark });
      try {
        await check(bench);
      } finally {
        await bench.close();
      }
      deepEqual(markedProcesses(mark), []);
    });
  }
});

test('the suite has started hosts, and none is left', () => {
  equal(markedProcesses(mark).length, 0);
});
