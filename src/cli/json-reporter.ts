import type { CodemodeError } from '../errors.js';
import type { McpEvent } from '../mcp/index.js';
import type { ContentItem } from '../protocol/message.js';
import type { Finding } from '../source/index.js';
import type { HostEvent } from '../supervisor/host.js';
import type { CellOutcome } from '../supervisor/run-cell.js';
import type { ToolProgress } from '../tools/tool.js';
import type { CellSource } from './cell-source.js';
import { type CellErrorReport, locateError } from './error-position.js';
import { terminatedByHostText } from './messages.js';
import type { Output } from './output.js';
import { oneLine } from './printable.js';
import type { Failure, ReportedAnswer, ReportedCall, Reporter } from './reporter.js';

/** One JSON event a line. */
export class JsonReporter implements Reporter {
  readonly #output: Output;
  #closed = false;
  #cell: CellSource | undefined;
  readonly #started = new Set<string>();
  /** Cells whose result was told: what their tools still do is nobody's business any more. */
  readonly #ended = new Set<string>();

  constructor(output: Output) {
    this.#output = output;
  }

  host(event: HostEvent): void {
    if (event.type !== 'ready') return;
    const { program, pid, version, capabilities, codec, handshakeMs } = event;
    this.#emit('host', { program, pid, version, capabilities, codec, handshakeMs: rounded(handshakeMs) });
  }

  mcp({ type: event, ...fields }: McpEvent): void {
    const ms = 'ms' in fields ? { ms: rounded(fields.ms) } : {};
    const error = 'error' in fields ? { error: { name: fields.error.name, ...plain(fields.error) } } : {};
    this.#emit('mcp', { event, ...fields, ...ms, ...error });
  }

  warning(message: string): void {
    this.#emit('warning', { message: oneLine(message) });
  }

  findings(cell: CellSource, findings: readonly Finding[]): void {
    this.#emit('preflight', { cell: cell.label, findings });
  }

  next(cell: CellSource): void {
    this.#cell = cell;
  }

  started(cell: CellSource, cellId: string): void {
    if (this.#started.has(cellId)) return;
    this.#started.add(cellId);
    this.#emit('started', { cellId, cell: cell.label });
  }

  /** A cell may call a tool before we have seen the answer that it has started. */
  #about(cellId: string): boolean {
    if (this.#cell !== undefined) this.started(this.#cell, cellId);
    return !this.#ended.has(cellId);
  }

  async content(items: readonly ContentItem[], cellId: string): Promise<void> {
    this.#emit('content', { cellId, items });
    await this.#output.ready();
  }

  async toolCall({ cellId, callId, name, input }: ReportedCall): Promise<void> {
    if (!this.#about(cellId)) return;
    this.#emit('tool-call', { cellId, id: callId, name, input });
    await this.#output.ready();
  }

  toolProgress({ cellId, callId, name }: ReportedCall, progress: ToolProgress): void {
    if (!this.#ended.has(cellId)) this.#emit('tool-progress', { cellId, id: callId, name, ...progress });
  }

  toolResult({ cellId, callId, name }: ReportedCall, { ms, ok, error }: ReportedAnswer): void {
    if (this.#ended.has(cellId)) return;
    this.#emit('tool-result', {
      cellId,
      id: callId,
      name,
      ms: rounded(ms),
      ok,
      ...(error === undefined ? {} : { error }),
    });
  }

  async notification(cellId: string, text: string): Promise<void> {
    if (!this.#about(cellId)) return;
    this.#emit('notification', { cellId, text });
    await this.#output.ready();
  }

  result(cell: CellSource, outcome: CellOutcome): void {
    const { cellId, status, ms } = outcome;
    const error = errorOf(cell, outcome);
    if (cellId !== null) this.#ended.add(cellId);
    this.#emit('result', { cellId, cell: cell.label, status, ms: rounded(ms), ...(error === null ? {} : { error }) });
  }

  error({ code, message, data }: Failure): void {
    this.#emit('error', { code, message: oneLine(message), data });
  }

  readonly incomplete = false;

  async settled(): Promise<void> {}

  close(): void {
    this.#closed = true;
  }

  #emit(type: string, fields: { readonly [name: string]: unknown }): void {
    if (!this.#closed) this.#output.write(`${toJson({ type, ...fields })}\n`);
  }
}

function errorOf(cell: CellSource, outcome: CellOutcome): { readonly [name: string]: unknown } | null {
  if (outcome.status === 'completed') return null;
  if (outcome.status === 'failed') return located(locateError(cell, outcome.errorText), cell.label);
  const { error } = outcome;
  return error === undefined ? { message: terminatedByHostText } : plain(error);
}

const plain = ({ code, message, data }: CodemodeError): { readonly [name: string]: unknown } => ({
  code,
  message: oneLine(message),
  data,
});

const located = ({ message, position }: CellErrorReport, file: string): { readonly [name: string]: unknown } => ({
  message,
  file,
  line: position?.line ?? null,
  column: position?.column ?? null,
});

const rounded = (ms: number): number => Math.round(ms * 100) / 100;

/** What arrives over msgpack may hold bigints and bytes, which JSON has no place for. */
function toJson(value: unknown): string {
  return JSON.stringify(value, (_name, field: unknown) => {
    if (typeof field === 'bigint') return String(field);
    return field instanceof Uint8Array ? Buffer.from(field).toString('base64') : field;
  });
}
