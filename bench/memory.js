// Shows that memory stays flat: many cells one after another in one session, then many sessions.
//   node bench/memory.js [--cells 100000] [--sessions 4097]
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Driver } from './driver.js';

const { values } = parseArgs({
  options: { cells: { type: 'string', default: '100000' }, sessions: { type: 'string', default: '4097' } },
});
const driver = new Driver([process.execPath, fileURLToPath(new URL('../bin/codemode-host.js', import.meta.url))]);
await driver.hello();

/** Resident MB of the host, of all its processes together (proportional), and how many there are. */
function memory() {
  const group = driver.child.pid;
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && groupOf(name) === group);
  const sum = pids.reduce((kb, pid) => kb + proportionalKb(pid), 0);
  const host = Number(readFileSync(`/proc/${group}/statm`, 'latin1').split(' ')[1]) * 4;
  return `${(host / 1024).toFixed(1).padStart(8)}${(sum / 1024).toFixed(1).padStart(8)}${String(pids.length).padStart(6)}`;
}

function groupOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2]);
  } catch {
    return undefined;
  }
}

function proportionalKb(pid) {
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

async function many(count, label, work) {
  const began = performance.now();
  for (let n = 1; n <= count; n++) {
    await work(n);
    if (n === 1 || n % Math.ceil(count / 5) === 0 || n === count)
      console.log(`${label.padEnd(9)}${String(n).padStart(8)}${memory()}`);
  }
  console.log(`${((performance.now() - began) / count).toFixed(2)} ms each`);
}

console.log(`${''.padEnd(17)}host MB  all MB  procs`);
await driver.open('s');
await many(Number(values.cells), 'cells', async () => driver.run('text(1)'));
await many(Number(values.sessions), 'sessions', async (n) => {
  await driver.open(`session-${n}`);
  await driver.run('store("k", 1)', { sessionId: `session-${n}` });
});
await driver.close();
