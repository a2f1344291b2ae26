// Measures our host beside another one, in turn, and prints medians and ratios:
//   npm run bench [-- --host PATH] [-- --runs N]
// Without --host the real host is taken when `npm run peers` has fetched it. Ratios mean something, single times little.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Driver } from './driver.js';
import { peerHost } from './peer-host.js';

const { values } = parseArgs({ options: { host: { type: 'string' }, runs: { type: 'string', default: '15' } } });
const runs = Number(values.runs);
const ours = [process.execPath, fileURLToPath(new URL('../bin/codemode-host.js', import.meta.url))];
const other = values.host ?? peerHost();
if (other !== undefined && !existsSync(other)) throw new Error(`no such host: ${other}`);
const hosts = [ours, ...(other === undefined ? [] : [[other]])];

const TEN_MB = 10 * 2 ** 20;
const primes =
  'let n = 0; o: for (let i = 2; n < 9000; i++) { for (let j = 2; j * j <= i; j++) if (i % j === 0) continue o; n++ }';

/** Each prepares what is not measured, and returns what is; the two that measure the start prepare nothing. */
const measures = {
  'start to ready': (driver) => ({ fromStart: true, work: () => driver.hello() }),
  'start to first result': (driver) => ({
    fromStart: true,
    work: async () => {
      await driver.hello();
      await driver.open('s');
      await driver.run('text(1)');
    },
  }),
  'warm cell': warm((driver) => driver.run('text(1)')),
  'cells back to back, 20': warm(async (driver) => {
    for (let n = 0; n < 20; n++) await driver.run('text(1)');
  }),
  'cells at once, 10': warm((driver) => Promise.all(Array.from({ length: 10 }, () => driver.run('text(1)')))),
  'tool calls in sequence, 100': warm((driver) =>
    driver.run('for (let n = 0; n < 100; n++) await tools.id({ n })', { tools: ['id'] }),
  ),
  'tool calls in parallel, 100': warm((driver) =>
    driver.run('await Promise.all(Array.from({ length: 100 }, (_, n) => tools.id({ n })))', { tools: ['id'] }),
  ),
  'text out, 10 MB': warm((driver) => driver.run(`text('x'.repeat(${TEN_MB}))`)),
  'tool result in, 10 MB': warm((driver) => {
    driver.answer = () => 'x'.repeat(TEN_MB);
    return driver.run('(await tools.id({})).length', { tools: ['id'] });
  }),
  'primes in a cell': warm((driver) => driver.run(primes)),
};

function warm(work) {
  return async (driver) => {
    await driver.hello();
    await driver.open('s');
    for (let n = 0; n < 3; n++) await driver.run('text(1)');
    return { fromStart: false, work: () => work(driver) };
  };
}

async function once(host, prepare) {
  const start = performance.now();
  const driver = new Driver(host);
  const { fromStart, work } = await prepare(driver);
  const from = fromStart ? start : performance.now();
  await work();
  const ms = performance.now() - from;
  await driver.close();
  return ms;
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

console.log(`${runs} runs each, in turn; median ms${other === undefined ? ' (no other host: npm run peers)' : ''}`);
console.log(
  `${'measure'.padEnd(32)}${'ours'.padStart(10)}${other === undefined ? '' : 'other'.padStart(10) + 'ratio'.padStart(8)}`,
);
for (const [name, prepare] of Object.entries(measures)) {
  const times = hosts.map(() => []);
  for (let run = 0; run < runs; run++)
    for (const [at, host] of hosts.entries()) times[at].push(await once(host, prepare));
  const [mine, theirs] = times.map(median);
  const rest = theirs === undefined ? '' : theirs.toFixed(1).padStart(10) + (mine / theirs).toFixed(2).padStart(8);
  console.log(`${name.padEnd(32)}${mine.toFixed(1).padStart(10)}${rest}`);
}
