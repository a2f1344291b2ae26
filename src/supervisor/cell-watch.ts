import type { ContentItem } from '../protocol/message.js';
import { answeredWithin, OBSERVER_GRACE_MS, TERMINATE_GRACE_MS } from '../waiting/grace.js';
import { onAbort } from '../waiting/on-abort.js';
import type { CellStop } from './cell-stop.js';
import type { Consumer } from './consumer.js';
import type { Cell, Observation, Session } from './host.js';

/**
 * What it takes to watch a cell; a fake session will do. Without `watchHolds` nothing makes the clock stand still, without
 * `watchLoss` a lost host is heard of when it is asked for more.
 */
export type CellSession = Pick<Session, 'execute' | 'wait' | 'terminate'> &
  Partial<Pick<Session, 'watchHolds' | 'watchLoss'>>;

/** How the cell itself ended, or null if it was stopped from this side. */
export type CellEnd =
  | { readonly status: 'completed' | 'terminated' }
  | { readonly status: 'failed'; readonly errorText: string };

export interface WatchOptions {
  readonly yieldTimeMs: number;
  readonly maxOutputTokens?: number;
  readonly consumer: Consumer;
  readonly onStarted: () => void;
  readonly onContent: (items: readonly ContentItem[]) => Promise<void> | void;
}

/** Looks at a cell again and again until it has ended, hands every item over once, and ends it when `stop` says so. */
export class CellWatch {
  readonly #session: CellSession;
  readonly #cell: Cell;
  readonly #stop: CellStop;
  readonly #options: WatchOptions;
  /** What is left of the cell's tokens; a cell that yields is looked at more than once. */
  #tokens: number | undefined;
  #ending: Promise<Observation | null> = Promise.resolve(null);

  constructor(session: CellSession, cell: Cell, stop: CellStop, options: WatchOptions) {
    this.#session = session;
    this.#cell = cell;
    this.#stop = stop;
    this.#options = options;
    this.#tokens = options.maxOutputTokens;
  }

  async run(): Promise<CellEnd | null> {
    const { signal } = this.#stop;
    let stopped = (_: null): void => undefined;
    const fired = new Promise<null>((resolve) => {
      stopped = resolve;
    });
    // The termination is sent at the instant of the stop, even while the caller is still busy with earlier items.
    const stopListening = onAbort(signal, () => {
      this.#ending = answeredWithin(TERMINATE_GRACE_MS, this.#session.terminate(this.#cell.id, this.#budget()));
      stopped(null);
    });
    try {
      let pending = this.#cell.initial;
      await this.#tell(this.#options.onStarted);
      for (;;) {
        // It may lose the race below, and then fail unheard.
        pending.catch(() => undefined);
        const seen = await Promise.race([pending, fired]);
        if (seen === null) return await this.#lastWords(pending);
        await this.#deliver(seen.items);
        if (seen.kind === 'result' || (seen.kind === 'terminated' && !signal.aborted)) return endOf(seen);
        if (signal.aborted) return await this.#afterTermination(seen);
        pending = this.#session.wait(this.#cell.id, { yieldTimeMs: this.#options.yieldTimeMs, ...this.#budget() });
      }
    } finally {
      stopListening();
    }
  }

  /** After the stop: the answer that was still to come, then that to the termination. */
  async #lastWords(pending: Promise<Observation>): Promise<CellEnd | null> {
    await this.#ending;
    const last = await answeredWithin(OBSERVER_GRACE_MS, pending);
    if (last !== null) await this.#deliver(last.items);
    // The cell was quicker than its termination.
    if (last?.kind === 'result' && !last.missing) return endOf(last);
    return await this.#afterTermination(last);
  }

  /** An observer that was answered with the termination has its items already, and they count once. */
  async #afterTermination(seen: Observation | null): Promise<CellEnd | null> {
    const last = await this.#ending;
    if (last === null || last.missing) return null;
    if (seen?.kind !== 'terminated') await this.#deliver(last.items);
    return last.kind === 'result' ? endOf(last) : null;
  }

  #budget(): { readonly maxOutputTokens?: number } {
    return this.#tokens === undefined ? {} : { maxOutputTokens: this.#tokens };
  }

  async #deliver(items: readonly ContentItem[]): Promise<void> {
    if (this.#tokens !== undefined) this.#tokens = Math.max(0, this.#tokens - textTokens(items));
    if (items.length > 0) await this.#tell(() => this.#options.onContent(items));
  }

  async #tell(caller: () => Promise<void> | void): Promise<void> {
    try {
      await this.#options.consumer.take(caller);
    } catch (error) {
      // Nobody watches this cell any more.
      this.#stop.press('abandoned', error);
      throw error;
    }
  }
}

/** Four bytes each, as the budget counts them; images are free. */
function textTokens(items: readonly ContentItem[]): number {
  const bytes = items.reduce((sum, item) => sum + (item.type === 'input_text' ? Buffer.byteLength(item.text) : 0), 0);
  return Math.ceil(bytes / 4);
}

function endOf({ kind, errorText }: Observation): CellEnd {
  if (kind === 'terminated') return { status: 'terminated' };
  return errorText === null ? { status: 'completed' } : { status: 'failed', errorText };
}
