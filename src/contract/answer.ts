import type { ContentItem } from '../protocol/message.js';
import { scriptError, truncate } from '../protocol/truncation.js';
import type { Finding } from '../source/index.js';
import type { Observation } from '../supervisor/host.js';
import * as say from './messages.js';

/** What goes back to the model for one call of `exec` or `wait`. */
export interface ModelAnswer {
  /** `refused`: nothing came of the call, and the text says why. */
  readonly status: 'completed' | 'failed' | 'terminated' | 'running' | 'refused';
  /** False when the cell failed, or the call was refused. */
  readonly success: boolean;
  /** Null when no cell was made, or none was named. */
  readonly cellId: string | null;
  /** The heading (status, wall time), then what the cell has put out. A refusal is one text, without a heading. */
  readonly items: readonly ContentItem[];
  /** All of it for models that take text only, a line for each item; `[image]` and `[audio]` stand for the others. */
  readonly text: string;
  /** What preflight saw in the source; the first of them are in the heading. Only of `exec`. */
  readonly findings: readonly Finding[];
}

/** About the call that is answered. */
export interface CallFacts {
  readonly cellId: string | null;
  /** How long the call took. */
  readonly ms: number;
  readonly findings: readonly Finding[];
  readonly maxOutputTokens: number;
}

const MOST_NOTES = 5;

export function answerTo(seen: Observation, facts: CallFacts): ModelAnswer {
  const { kind, items, errorText } = seen;
  if (kind === 'yielded') return headed('running', say.runningText(facts.cellId ?? seen.cellId), items, facts);
  if (kind === 'terminated') return headed('terminated', say.terminatedText, items, facts);
  if (errorText === null) return headed('completed', say.completedText, items, facts);
  return headed('failed', say.failedText, withError(items, errorText, facts.maxOutputTokens), facts);
}

/** For a cell that was ended, or never made, because the harness has interrupted the call. */
export const interrupted = (facts: CallFacts): ModelAnswer => headed('terminated', say.terminatedText, [], facts);

export const refusal = (text: string, cellId: string | null = null): ModelAnswer => ({
  status: 'refused',
  success: false,
  cellId,
  items: [{ type: 'input_text', text }],
  text,
  findings: [],
});

/**
 * The answer for a model when `exec` or `wait` have rejected, such as with a host that was lost: the message of the error.
 * The harness knows why; the model should hear it too.
 */
export const answerForError = (error: unknown): ModelAnswer =>
  refusal(error instanceof Error ? error.message || error.name : String(error));

function headed(
  status: ModelAnswer['status'],
  line: string,
  output: readonly ContentItem[],
  { cellId, ms, findings }: CallFacts,
): ModelAnswer {
  const shown = findings.slice(0, MOST_NOTES).map(say.noteText);
  const more = findings.length - shown.length;
  const notes = more > 0 ? [...shown, say.moreNotesText(more)] : shown;
  const heading = `${[line, say.wallTimeText(ms), ...notes, say.outputText].join('\n')}\n`;
  return {
    status,
    success: status !== 'failed',
    cellId,
    items: [{ type: 'input_text', text: heading }, ...output],
    text: heading + output.map(textOf).join('\n'),
    findings,
  };
}

function textOf(item: ContentItem): string {
  if (item.type === 'input_text') return item.text;
  return item.type === 'input_image' ? say.imageText : say.audioText;
}

/** A host that cuts the output counts the error as a part of it: then its end is there already. */
function withError(items: readonly ContentItem[], errorText: string, maxTokens: number): readonly ContentItem[] {
  const error = scriptError(errorText);
  const last = items.at(-1);
  const cut = last?.type === 'input_text' ? /[\s\S]*…\d+ tokens truncated…([\s\S]+)$/.exec(last.text)?.[1] : undefined;
  const whole = textOf(error);
  if (cut !== undefined && (whole.endsWith(cut) || cut.endsWith(whole))) return items;
  return [...items, ...truncate({ head: [error], marker: undefined, tail: [], split: false }, maxTokens)];
}
