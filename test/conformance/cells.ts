import { parseArgs } from 'node:util';
import { readProbes } from './cells/probe.js';
import { runProbes } from './cells/run-probes.js';
import { ourHost } from './host-wire.js';

// node build/test/conformance/cells.js [--host PATH] [--no-heavy] [--only WORD] [--show]
// Runs the cell probes against a host program, and prints which of them come out differently than with the reference
// host, and a score.

const { values } = parseArgs({
  options: {
    host: { type: 'string', default: ourHost },
    heavy: { type: 'boolean', default: true },
    only: { type: 'string', default: '' },
    show: { type: 'boolean', default: false },
  },
  allowNegative: true,
});

const probes = readProbes()
  .filter(({ heavy }) => values.heavy || heavy !== true)
  .filter(({ name }) => name.includes(values.only));

const began = performance.now();
const different = await runProbes(probes, { program: values.host });
for (const { probe, actual, expected } of different) {
  const flags = (['engine', 'poison', 'timing', 'heavy'] as const).filter((flag) => probe[flag] === true);
  console.log(`differs ${[probe.name, ...flags].join(' ')}`);
  if (values.show) {
    console.log(`  expected ${JSON.stringify(expected).slice(0, 2_000)}`);
    console.log(`  actual   ${JSON.stringify(actual).slice(0, 2_000)}`);
  }
}
const seconds = ((performance.now() - began) / 1_000).toFixed(1);
const plain = different.filter(({ probe }) => probe.engine !== true && probe.poison !== true);
console.log(`${probes.length - different.length} of ${probes.length} probes are the same, in ${seconds} s;`);
console.log(`${plain.length} of the others do not depend on the engine and do not end the reference host`);
