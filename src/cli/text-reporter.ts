import type { McpEvent } from '../mcp/index.js';
import type { ContentItem } from '../protocol/message.js';
import type { Finding } from '../source/index.js';
import type { CellOutcome } from '../supervisor/run-cell.js';
import type { CellSource } from './cell-source.js';
import { codeFrame, locateError } from './error-position.js';
import type { MediaFolder } from './media-file.js';
import {
  cellStoppedText,
  errorLine,
  findingLine,
  leftOutText,
  notificationLine,
  terminatedByHostText,
  warningText,
} from './messages.js';
import type { Output } from './output.js';
import { indented, oneLine } from './printable.js';
import type { Failure, Reporter } from './reporter.js';

/** The cell's output on stdout, everything else on stderr. */
export class TextReporter implements Reporter {
  readonly #stdout: Output;
  readonly #stderr: Output;
  readonly #media: MediaFolder;
  /** The items that came last are shown: whoever hands over more may not have waited for it. */
  #shown: Promise<unknown> = Promise.resolve();
  #showing = 0;
  #closed = false;
  #incomplete = false;

  constructor(stdout: Output, stderr: Output, media: MediaFolder) {
    this.#stdout = stdout;
    this.#stderr = stderr;
    this.#media = media;
  }

  host(): void {}
  next(): void {}
  started(): void {}
  async toolCall(): Promise<void> {}
  toolProgress(): void {}
  toolResult(): void {}

  /** A run that goes on without a server has to say so; one that does not says it as its end. */
  mcp(event: McpEvent, goesOn: boolean): void {
    if (goesOn && event.type === 'failed') this.#complain(errorLine(leftOutText(event.error.message)));
  }

  warning(message: string): void {
    this.#complain(errorLine(warningText(message)));
  }

  findings(cell: CellSource, findings: readonly Finding[]): void {
    for (const finding of findings) this.#complain(findingLine(cell.label, finding));
  }

  async content(items: readonly ContentItem[], cellId: string): Promise<void> {
    this.#showing += 1;
    const turn = this.#shown.then(() => this.#show(items, cellId)).finally(() => (this.#showing -= 1));
    this.#shown = turn.catch(() => {});
    await turn;
    // Not part of the turn: what comes next goes behind this also when nobody reads.
    await this.#stdout.ready();
  }

  async #show(items: readonly ContentItem[], cellId: string): Promise<void> {
    for (const item of items) {
      if (item.type === 'input_text') this.#print(item.text);
      else {
        const { line, problem } = await this.#media.save(item, cellId);
        if (problem === undefined) this.#print(line);
        else {
          this.#incomplete = true;
          this.#complain(errorLine(problem));
        }
      }
    }
  }

  async notification(_cellId: string, text: string): Promise<void> {
    this.#complain(notificationLine(text));
    await this.#stderr.ready();
  }

  result(cell: CellSource, outcome: CellOutcome): void {
    if (outcome.status === 'completed') return;
    if (outcome.status === 'failed') {
      this.#write(indented(failedCell(cell, outcome.errorText)));
      return;
    }
    this.#complain(cellStoppedText(cell.label, outcome.error?.message ?? terminatedByHostText));
  }

  error({ message, details = [] }: Failure): void {
    for (const line of [errorLine(message), ...details]) this.#complain(line);
  }

  get incomplete(): boolean {
    return this.#incomplete;
  }

  async settled(limitMs: number): Promise<void> {
    if (this.#showing === 0) return;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, limitMs);
    });
    await Promise.race([this.#shown, late]);
    clearTimeout(timer);
  }

  close(): void {
    this.#closed = true;
  }

  #print(text: string): void {
    if (!this.#closed) this.#stdout.write(`${text}\n`);
  }

  /** One line, whatever somebody has put into it. */
  #complain(text: string): void {
    this.#write(oneLine(text));
  }

  #write(line: string): void {
    if (!this.#closed) this.#stderr.write(`${line}\n`);
  }
}

/** As Node prints it, but for the indentation: the place, the line, a caret, and then the error with its stack. */
function failedCell(cell: CellSource, errorText: string): string {
  const { message, position } = locateError(cell, errorText);
  if (position === null) return cellStoppedText(cell.label, message);
  const { line, column } = position;
  return `${cell.label}:${line}:${column}\n${codeFrame(cell.shown, position)}\n${message}`;
}
