import { type Finding, type Probe, type Step, sourceText } from './probe.js';

/** Longer timers are meant never to fire. */
const LONGEST_TIMER_MS = 1_000;

const times = (ms: number, factor: number): number => Math.round(ms * factor);

/** A cell's timer that ends together with an observation is to end after it. */
const TIMER_MARGIN = 1.25;

/** The times of timers and tools in a source, and how long it is busy. */
const slower = (source: string, factor: number): string =>
  source
    .replace(/(setTimeout\(r, ?|Date\.now\(\) ?- ?t ?< ?)(\d+)/g, (all, before: string, ms: string) =>
      Number(ms) > LONGEST_TIMER_MS ? all : `${before}${times(Number(ms), factor * TIMER_MARGIN)}`,
    )
    .replace(/\bms: ?(\d+)/g, (_, ms: string) => `ms:${times(Number(ms), factor)}`);

function stretchedStep(step: Step, factor: number): Step {
  const yieldMs = step.yield_ms == null ? {} : { yield_ms: times(step.yield_ms, factor) };
  if (step.op === 'exec') return { ...step, ...yieldMs, source: slower(sourceText(step.source), factor) };
  return step.op === 'sleep' ? { ...step, ms: times(step.ms, factor) } : { ...step, ...yieldMs };
}

/** The same probe with all its times longer: what comes first stays first on a machine that is busy. */
export const stretched = (probe: Probe, factor: number): Probe =>
  probe.steps === undefined || factor === 1
    ? probe
    : { ...probe, steps: probe.steps.map((step) => stretchedStep(step, factor)) };

/** What came of a stretched probe, with the times that were given to tools as they were. */
export const unstretched = (finding: Finding, factor: number): Finding =>
  JSON.parse(JSON.stringify(finding).replace(/"ms":(\d+)/g, (_, ms: string) => `"ms":${Number(ms) / factor}`));
