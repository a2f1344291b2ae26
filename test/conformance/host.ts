import { parseArgs } from 'node:util';
import { ourHost } from './host-wire.js';
import { Bench, type Statement } from './statement.js';
import { statements } from './statements.js';

// node build/test/conformance/host.js [--host PATH] [--slow] [--only H12,H40]
// Says of each of the 101 statements about a V1 host whether it holds for a host program, and prints a score.

const { values } = parseArgs({
  options: {
    host: { type: 'string', default: ourHost },
    slow: { type: 'boolean', default: false },
    only: { type: 'string' },
  },
});
const only = values.only?.split(',');

async function failure({ check }: Statement): Promise<string | undefined> {
  const bench = new Bench(values.host);
  try {
    await check(bench);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    await bench.close();
  }
}

const score = { passed: 0, failed: 0, skipped: 0 };
for (const statement of statements) {
  const { id, says } = statement;
  if (only?.includes(id) === false) continue;
  if (statement.slow && !values.slow && only === undefined) {
    score.skipped++;
    console.log(`slow ${id} ${says}`);
    continue;
  }
  const began = performance.now();
  const why = await failure(statement);
  score[why === undefined ? 'passed' : 'failed']++;
  console.log(`${why === undefined ? 'ok  ' : 'FAIL'} ${id} ${says} (${Math.round(performance.now() - began)} ms)`);
  if (why !== undefined) console.log(`       ${why.replaceAll('\n', '\n       ')}`);
}
console.log(`${score.passed} passed, ${score.failed} failed, ${score.skipped} skipped`);
process.exitCode = score.failed === 0 ? 0 : 1;
