import type { Finding } from '../../../src/source/finding.js';
import { prepareCell } from '../../../src/source/prepare-cell.js';
import { good } from './good.js';
import { runCorpusCell, toolNames } from './harness.js';
import { type Malformed, malformed } from './malformed.js';

export interface KindFigures {
  wanted: number;
  found: number;
  knownMisses: number;
  repairable: number;
  repairedAndRuns: number;
}

export interface Evaluation {
  readonly kinds: Map<string, KindFigures>;
  /** One line for each cell that was not noticed, though it should be. */
  readonly missed: string[];
  readonly falsePositives: string[];
  /** One line for each cell whose repair is not what was meant. */
  readonly badRepairs: string[];
  readonly knownMisses: number;
  /** Known misses that are found by now. */
  readonly surprises: string[];
  readonly malformed: number;
  readonly good: number;
}

const options = { label: '[cell]', typescript: false, tools: toolNames, commandTool: 'exec_command' } as const;

/** Puts the whole corpus through preflight. */
export async function evaluate(): Promise<Evaluation> {
  const result: Evaluation = {
    kinds: new Map(),
    missed: [],
    falsePositives: [],
    badRepairs: [],
    knownMisses: malformed.filter(({ miss }) => miss).length,
    surprises: [],
    malformed: malformed.length,
    good: good.length,
  };
  for (const entry of malformed) await evaluateMalformed(entry, result);
  for (const cell of good) {
    for (const preflight of ['report', 'fix'] as const) {
      const { findings, repaired } = await prepareCell(cell, { ...options, preflight });
      if (findings.length > 0 || repaired) result.falsePositives.push(`${JSON.stringify(cell)}: ${codes(findings)}`);
    }
  }
  return result;
}

const codes = (findings: readonly Finding[]): string => findings.map(({ code }) => code).join(', ') || 'nothing';

async function evaluateMalformed({ cell, codes: wanted, output, miss }: Malformed, result: Evaluation): Promise<void> {
  const shown = JSON.stringify(cell);
  const report = await prepareCell(cell, { ...options, preflight: 'report' });
  const fix = await prepareCell(cell, { ...options, preflight: 'fix' });
  const repairs = output === undefined ? undefined : await repair(fix.source, output);
  if (report.repaired || report.findings.some(({ fixed }) => fixed))
    result.badRepairs.push(`${shown}: changed by report`);
  if (repairs !== undefined && repairs !== '') result.badRepairs.push(`${shown}: ${repairs}`);
  if (output === undefined && fix.repaired)
    result.badRepairs.push(`${shown}: repaired to ${JSON.stringify(fix.source)}`);
  for (const code of wanted) {
    const kind = result.kinds.get(code) ?? { wanted: 0, found: 0, knownMisses: 0, repairable: 0, repairedAndRuns: 0 };
    result.kinds.set(code, kind);
    const found = [report, fix].every(({ findings }) => findings.some((finding) => finding.code === code));
    if (miss) {
      kind.knownMisses += 1;
      if (found) result.surprises.push(shown);
      continue;
    }
    kind.wanted += 1;
    if (found) kind.found += 1;
    else result.missed.push(`${shown}: ${code}, got ${codes(report.findings)} and ${codes(fix.findings)}`);
    if (output === undefined) continue;
    kind.repairable += 1;
    if (repairs === '') kind.repairedAndRuns += 1;
  }
}

async function repair(source: string, wanted: readonly string[]): Promise<string> {
  try {
    const got = await runCorpusCell(source);
    return JSON.stringify(got) === JSON.stringify(wanted)
      ? ''
      : `${JSON.stringify(source)} put out ${JSON.stringify(got)}`;
  } catch (error) {
    return `${JSON.stringify(source)} failed: ${error}`;
  }
}
