import { evaluate } from './corpus/evaluation.js';

// Prints what preflight makes of the corpus: `node build/test/source/corpus-report.js`.

const result = await evaluate();
console.log(`${'kind'.padEnd(24)} found     repaired and runs   known misses`);
for (const [code, kind] of [...result.kinds].sort()) {
  const found = `${kind.found}/${kind.wanted}`.padEnd(9);
  const repaired = (kind.repairable === 0 ? '-' : `${kind.repairedAndRuns}/${kind.repairable}`).padEnd(19);
  console.log(`${code.padEnd(24)} ${found} ${repaired} ${kind.knownMisses || ''}`.trimEnd());
}
const all = [...result.kinds.values()];
const sum = (field: 'found' | 'wanted' | 'repairedAndRuns' | 'repairable'): number =>
  all.reduce((total, kind) => total + kind[field], 0);
console.log(
  `\n${result.malformed} malformed cells: ${sum('found')} of ${sum('wanted')} findings, ${result.knownMisses} known misses`,
);
console.log(`repaired, and runs to the expected output: ${sum('repairedAndRuns')} of ${sum('repairable')}`);
console.log(`${result.good} good cells: ${result.falsePositives.length} false positives`);
for (const line of [...result.missed, ...result.falsePositives, ...result.badRepairs, ...result.surprises])
  console.log(`  ${line}`);
