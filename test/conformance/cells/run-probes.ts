import { type Finding, isSame, type Probe, readExpected } from './probe.js';
import { runProbe } from './run-probe.js';
import { stretched, unstretched } from './stretch.js';

/** Each of these hosts, and the processes of its cells, sleeps most of the time. */
const AT_A_TIME = 6;
/** Many probes are about time, of which a busy machine needs more: one that differs is tried again, alone and slower. */
const FACTORS = [1, 4, 8];

export interface Different {
  readonly probe: Probe;
  readonly actual: Finding;
  readonly expected: Finding;
}

export interface ProbesOptions {
  readonly program: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs probes, several at a time, heavy ones alone, and gives those of which the outcome is not the reference's. */
export async function runProbes(probes: readonly Probe[], options: ProbesOptions): Promise<Different[]> {
  const all = readExpected();
  const differ = new Map<Probe, Different>();
  const run = async (probe: Probe, factor = 1): Promise<void> => {
    const expected = all.get(probe.name);
    if (expected === undefined) throw new Error(`nothing is expected of ${probe.name}`);
    const finding = await runProbe(stretched(probe, factor), options.program, options.env);
    const actual = unstretched(finding, probe.steps === undefined ? 1 : factor);
    if (isSame(probe, actual, expected)) differ.delete(probe);
    else differ.set(probe, { probe, actual, expected });
  };
  const queue = probes.filter(({ heavy }) => heavy !== true);
  const worker = async (): Promise<void> => {
    for (let probe = queue.shift(); probe !== undefined; probe = queue.shift()) await run(probe);
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, worker));
  for (const probe of probes) if (probe.heavy === true) await run(probe);
  for (const factor of FACTORS) {
    for (const probe of [...differ.keys()].filter(({ engine, poison }) => engine !== true && poison !== true)) {
      await run(probe, factor);
    }
  }
  return probes.flatMap((probe) => differ.get(probe) ?? []);
}
