import { CodemodeError } from '../errors.js';
import { type Check, isFunction, maybeArgument, needArgument } from '../names/argument.js';
import { checkOptionNames, type OptionNames } from '../names/option-names.js';
import type { ContentItem, ToolDefinition } from '../protocol/message.js';
import { LONGEST_TIMER_MS } from '../waiting/timer.js';
import { CellStop } from './cell-stop.js';
import { type CellSession, CellWatch } from './cell-watch.js';
import { Consumer } from './consumer.js';
import type { Cell } from './host.js';
import { cellCancelledText, cellTimeoutText, durationWords, sessionWords } from './run-cell-messages.js';

export type { CellSession } from './cell-watch.js';

export interface RunCellOptions {
  /** JavaScript: a module without imports. */
  readonly source: string;
  /** What `toolbox.definitions` has. Default: none. */
  readonly tools?: readonly ToolDefinition[] | undefined;
  /** Comes back with notifications. Default: one that is made up. */
  readonly toolCallId?: string | undefined;
  /**
   * Limit for the whole cell, from the request to its end, in ms; `Infinity` for none. Default: 600,000. It stands still
   * while a tool call of the cell holds it (`context.hold` of the delegate), whatever the cell does meanwhile.
   */
  readonly timeoutMs?: number | undefined;
  /** How often a running cell is asked for what it printed, in ms. Default: 250; with `maxOutputTokens` once, at its end. */
  readonly yieldTimeMs?: number | undefined;
  /** Four bytes each, for the whole cell; counts in a session with `truncateOutput` only. Default: 10,000 for each look at it. */
  readonly maxOutputTokens?: number | undefined;
  /** Ends the cell; the result is then `terminated`. */
  readonly signal?: AbortSignal | undefined;
  /** Called once, before any output. */
  readonly onStarted?: ((cellId: string) => void) | undefined;
  /**
   * Called in order, never twice for one item, and awaited before more is asked for: this is the back-pressure. When the
   * cell is stopped (`timeoutMs`, `signal`), its session shut down or its host lost, it has one more second in all; after
   * that the last items are handed over and nothing is awaited any more, so that it may be called while a call of before
   * still runs: who must not overlap begins with the items when that one is done. What it throws ends the cell, and
   * `runCell` rejects with it.
   */
  readonly onContent?: ((items: readonly ContentItem[], cellId: string) => Promise<void> | void) | undefined;
}

interface Ended<Id> {
  readonly cellId: Id;
  /** From the request to the end, also what the limit does not count. */
  readonly ms: number;
}

/** How a cell ended. A host that is lost, or never answers, is not a way for a cell to end: `runCell` rejects. */
export type CellOutcome =
  | ({ readonly status: 'completed' } & Ended<string>)
  | ({ readonly status: 'failed'; readonly errorText: string } & Ended<string>)
  /** By the caller's signal (then `error` is there), or by the host's own decision. */
  | ({ readonly status: 'terminated'; readonly error?: CodemodeError | undefined } & Ended<string | null>)
  | ({ readonly status: 'timeout'; readonly error: CodemodeError } & Ended<string | null>);

/** In ms, as the next one. */
export const DEFAULT_CELL_TIMEOUT_MS = 600_000;
export const DEFAULT_CELL_YIELD_MS = 250;

const known: OptionNames<RunCellOptions> = {
  source: true,
  tools: true,
  toolCallId: true,
  timeoutMs: true,
  yieldTimeMs: true,
  maxOutputTokens: true,
  signal: true,
  onStarted: true,
  onContent: true,
};

const isSession: Check = (value) =>
  ['execute', 'wait', 'terminate'].every((name) => typeof Object(value)[name] === 'function');

/**
 * Runs one cell to its end. The clock is ours, so that it also works on `while(true){}`. Rejects with `invalid-argument`,
 * with the reason for which there is no host (any more), with `operation-failed` when the host refuses the cell or cannot
 * hand over what it put out, and with what `onStarted` or `onContent` throws.
 */
export async function runCell(session: CellSession, options: RunCellOptions): Promise<CellOutcome> {
  checkOptionNames('runCell', options, known);
  needArgument('runCell', 'session', session, isSession, sessionWords);
  for (const name of ['onStarted', 'onContent'] as const)
    maybeArgument('runCell', name, options[name], isFunction, 'a function');
  const timeoutMs =
    options.timeoutMs === Number.POSITIVE_INFINITY
      ? LONGEST_TIMER_MS
      : duration('timeoutMs', options.timeoutMs ?? DEFAULT_CELL_TIMEOUT_MS);
  const yieldTimeMs = duration('yieldTimeMs', options.yieldTimeMs ?? usualYieldMs(options, timeoutMs));
  const began = performance.now();
  const elapsed = (): number => performance.now() - began;
  const stop = new CellStop(timeoutMs, options.signal);
  const stopped = (cellId: string | null): CellOutcome =>
    stop.reason === 'timeout'
      ? { status: 'timeout', cellId, ms: elapsed(), error: timeoutError(timeoutMs) }
      : { status: 'terminated', cellId, ms: elapsed(), error: cancelledError(stop.cause) };
  const consumer = new Consumer(stop.signal);
  let stopWatchingHolds = (): void => {};
  let stopWatchingLoss = (): void => {};
  try {
    if (stop.reason !== null) return stopped(null);
    const cell = await start(session, options, yieldTimeMs, stop);
    if (cell === null) return stopped(null);
    stopWatchingHolds = session.watchHolds?.(cell.id, (held) => stop.hold(held)) ?? stopWatchingHolds;
    stopWatchingLoss = session.watchLoss?.(cell.id, () => consumer.hurry()) ?? stopWatchingLoss;
    const { maxOutputTokens, onContent } = options;
    const watch = new CellWatch(session, cell, stop, {
      yieldTimeMs,
      ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
      consumer,
      onStarted: () => options.onStarted?.(cell.id),
      onContent: (items) => onContent?.(items, cell.id),
    });
    const end = await watch.run();
    return end === null ? stopped(cell.id) : { ...end, cellId: cell.id, ms: elapsed() };
  } finally {
    stopWatchingHolds();
    stopWatchingLoss();
    consumer.dispose();
    stop.dispose();
  }
}

/** A budget is for one observation, so there should be only one, and it should not end just before the limit. */
function usualYieldMs({ maxOutputTokens }: RunCellOptions, timeoutMs: number): number {
  return maxOutputTokens === undefined ? DEFAULT_CELL_YIELD_MS : Math.min(2 * timeoutMs + 1_000, LONGEST_TIMER_MS);
}

/** The started cell, or null if it was stopped before. */
async function start(
  session: CellSession,
  options: RunCellOptions,
  yieldTimeMs: number,
  stop: CellStop,
): Promise<Cell | null> {
  const { source, tools, toolCallId, maxOutputTokens } = options;
  const request = {
    source,
    yieldTimeMs,
    ...(tools === undefined ? {} : { tools }),
    ...(toolCallId === undefined ? {} : { toolCallId }),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
  };
  try {
    return await session.execute(request, { signal: stop.signal });
  } catch (error) {
    if (stop.reason !== null) return null;
    throw error;
  }
}

function duration(name: string, value: number): number {
  needArgument('runCell', name, value, isDuration, durationWords(LONGEST_TIMER_MS));
  return value;
}

const isDuration: Check = (value) => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= LONGEST_TIMER_MS;

const timeoutError = (timeoutMs: number): CodemodeError =>
  new CodemodeError('operation-timeout', cellTimeoutText(timeoutMs), { data: { limit: 'timeoutMs', timeoutMs } });

const cancelledError = (cause: unknown): CodemodeError => new CodemodeError('cancelled', cellCancelledText, { cause });
