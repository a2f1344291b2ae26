import type { McpEvent } from '../mcp/index.js';
import type { ContentItem } from '../protocol/message.js';
import type { Finding } from '../source/index.js';
import type { HostEvent } from '../supervisor/host.js';
import type { CellOutcome } from '../supervisor/run-cell.js';
import type { ToolProgress } from '../tools/tool.js';
import type { CellSource } from './cell-source.js';

/** One tool call, when it begins and when it is answered. */
export interface ReportedCall {
  readonly cellId: string;
  readonly callId: string;
  readonly name: string;
  readonly input: unknown;
}

export interface ReportedAnswer {
  readonly ms: number;
  readonly ok: boolean;
  readonly error?: string;
}

/** Where a run tells what happens. After `close` everything is dropped, so that the last word stays the last. */
export interface Reporter {
  host(event: HostEvent): void;
  /** `goesOn`: the command does without a server that has failed. */
  mcp(event: McpEvent, goesOn: boolean): void;
  /** Something that may be a mistake, and stops nothing. */
  warning(message: string): void;
  /** What preflight has seen in a cell, before anything runs. */
  findings(cell: CellSource, findings: readonly Finding[]): void;
  /** Which cell is asked to run next. */
  next(cell: CellSource): void;
  started(cell: CellSource, cellId: string): void;
  /** Resolves when there is room for more. */
  content(items: readonly ContentItem[], cellId: string): Promise<void>;
  toolCall(call: ReportedCall): Promise<void>;
  toolProgress(call: ReportedCall, progress: ToolProgress): void;
  toolResult(call: ReportedCall, answer: ReportedAnswer): void;
  notification(cellId: string, text: string): Promise<void>;
  result(cell: CellSource, outcome: CellOutcome): void;
  /** The run ends early. `code` is an `ErrorCode` or a word of the command line's own. */
  error(failure: Failure): void;
  /** Something that a cell put out could be neither printed nor written. */
  readonly incomplete: boolean;
  /** To be awaited before `close`: content that was handed over is written, awaited or not, or `limitMs` milliseconds are over. */
  settled(limitMs: number): Promise<void>;
  close(): void;
}

export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly data: { readonly [name: string]: unknown };
  /** Further lines for people, which `data` has for programs. */
  readonly details?: readonly string[];
}
