import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Json } from '../host-wire.js';

/** A source, or pieces of one: texts, and texts with the number of times they are repeated. */
export type Source = string | readonly (string | readonly [string, number])[];

interface CommonStep {
  readonly session?: string;
  /** The name by which later steps know the cell, or a cell id. */
  readonly cell?: string;
  readonly as?: string;
  /** Sends the request and leaves its answer to a later step. */
  readonly bg?: boolean;
  readonly yield_ms?: number | null;
  readonly extra?: Json;
  readonly top?: Json;
}

export type Step = CommonStep &
  (
    | {
        readonly op: 'exec';
        readonly source: Source;
        readonly tools?: readonly ToolSpec[];
        readonly tool_call_id?: string;
        readonly max_tokens?: number | null;
      }
    | { readonly op: 'await' | 'wait' | 'terminate' | 'yieldop' | 'release' | 'open' | 'shutdown' }
    /** The client does nothing for some time: part of what is asked, as in "wait for a cell that has ended". */
    | { readonly op: 'sleep'; readonly ms: number }
  );

/** The name of a standard tool, or a definition of one. */
export type ToolSpec = string | (Json & { readonly name: string });

/** What a client does with a fresh host, and what of the answer is compared. */
export interface Probe {
  readonly name: string;
  readonly source?: Source;
  readonly steps?: readonly Step[];
  readonly tools?: readonly ToolSpec[];
  /** Behaviours of tools that differ from that of their name. */
  readonly behaviour?: Readonly<Record<string, string>>;
  readonly caps?: readonly string[];
  readonly open?: Json;
  readonly notifyError?: string;
  readonly notifyHold?: boolean;
  /** Takes long, or much memory. */
  readonly heavy?: boolean;
  /** The order of its delegate requests is a race. */
  readonly timing?: boolean;
  /** Depends on the version of the JavaScript engine. */
  readonly engine?: boolean;
  /** The reference host hangs, or dies. */
  readonly poison?: boolean;
}

/** What came of a probe. */
export interface Finding {
  readonly steps: readonly Json[];
  readonly delegates?: unknown;
  readonly host_exit?: unknown;
}

const lines = <T>(name: string): T[] =>
  // The data are not compiled, so they are where the sources are.
  readFileSync(fileURLToPath(new URL(`../../../../test/conformance/data/${name}`, import.meta.url)), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as T);

export const readProbes = (): Probe[] => lines<Probe>('probes.jsonl');

/** What the reference host answered. */
export const readExpected = (): Map<string, Finding> =>
  new Map(lines<Finding & { name: string }>('expected.jsonl').map(({ name, ...finding }) => [name, finding]));

export const sourceText = (source: Source): string =>
  typeof source === 'string'
    ? source
    : source.map((part) => (typeof part === 'string' ? part : part[0].repeat(part[1]))).join('');

/** Whether a host did what was expected; the order of delegate requests is not looked at where it is a race. */
export function isSame(probe: Probe, actual: Finding, expected: Finding): boolean {
  const compared = ({ steps, delegates, host_exit }: Finding) =>
    JSON.stringify([steps, probe.timing === true ? null : delegates, host_exit]);
  return compared(actual) === compared(expected);
}
