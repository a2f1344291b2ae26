import type { ContentItem, RuntimeResponse } from '../protocol/message.js';
import { startTimer } from '../waiting/timer.js';
import { cancelledText, cellNotFoundText, observedText } from './messages.js';
import type { Answer, Observer } from './observer.js';
import type { Output } from './output.js';

/** What a cell needs of its session and connection. */
export interface CellOwner {
  /** No code of the cell may run any more. Its tool calls are void, and its notifications too when terminated. */
  ended(cell: Cell, terminated: boolean): void;
  /** Its output waits to be taken, or no longer does: hold its code meanwhile. */
  held(cell: Cell, held: boolean): void;
  /** Its end was delivered; it is gone. */
  closed(cell: Cell): void;
}

type End =
  | { readonly kind: 'result'; readonly errorText: string | null; readonly whole: string | null; readonly at: number }
  | { readonly kind: 'terminated' };

/**
 * One cell as its observers see it: running, draining (its code has ended, notifications are not answered yet),
 * finished (nobody has been told yet), closed. Knows nothing of how code is run.
 */
export class Cell {
  readonly id: string;
  readonly #owner: CellOwner;
  readonly #output: Output;
  /** With what stops the timer of each. */
  readonly #observers = new Map<Observer, (() => void) | undefined>();
  #state: 'running' | 'draining' | 'finished' | 'closed' = 'running';
  #end: End | undefined;
  #notifications = 0;

  constructor(id: string, output: Output, owner: CellOwner) {
    this.id = id;
    this.#output = output;
    this.#owner = owner;
  }

  emit(item: ContentItem): void {
    if (this.#state !== 'running') return;
    this.#output.add(item);
    this.#holdIfFull();
  }

  /** An item that no frame can hold: the observation that gets to it ends with an error. */
  emitOversized(bytes: number): void {
    if (this.#state !== 'running') return;
    this.#output.addOversized(bytes);
    this.#holdIfFull();
  }

  /** Rather an early answer than one that no frame can hold. */
  #holdIfFull(): void {
    if (!this.#output.full) return;
    if (this.#observers.size > 0) this.yieldControl();
    if (this.#output.full) this.#owner.held(this, true);
  }

  /** Adds an observer; `yieldMs` later it is told that the cell is still running. */
  observe(observer: Observer, yieldMs: number): void {
    if (this.#state === 'finished') {
      this.#observers.set(observer, undefined);
      this.#deliver();
      return;
    }
    if (this.#state === 'running' && this.#observers.size > 0) {
      observer.answer({ kind: 'error', message: observedText(this.id) });
      return;
    }
    this.#observers.set(observer, undefined);
    if (this.#state !== 'running') return; // draining: neither refused nor timed, the result is due
    if (yieldMs <= 0 || this.#output.full) this.yieldTo(observer);
    else this.#startTimer(observer, yieldMs);
  }

  /** Counts the time of an observation from now. */
  restartYieldTimer(observer: Observer, yieldMs: number): void {
    if (this.#state !== 'running' || !this.#observers.has(observer)) return;
    this.#observers.get(observer)?.();
    this.#startTimer(observer, yieldMs);
  }

  #startTimer(observer: Observer, yieldMs: number): void {
    this.#observers.set(
      observer,
      startTimer(yieldMs, () => this.yieldTo(observer)),
    );
  }

  /** Ends one observation with what is there; no effect when it is over, or while draining. */
  yieldTo(observer: Observer): void {
    if (this.#state !== 'running' || !this.#remove(observer)) return;
    this.#tell(observer, (progress) => ({ Yielded: progress }), null);
  }

  /** `yield_control()`: not remembered when nobody observes. */
  yieldControl(): void {
    for (const observer of this.#observers.keys()) this.yieldTo(observer);
  }

  /** The output stays with the cell. False when the observation is over. */
  cancel(observer: Observer): boolean {
    if (!this.#remove(observer)) return false;
    observer.answer({ kind: 'error', message: cancelledText });
    return true;
  }

  notificationSent(): void {
    this.#notifications++;
  }

  notificationAnswered(): void {
    this.#notifications--;
    if (this.#state === 'draining' && this.#notifications === 0) this.#finished();
  }

  /** The code has ended by itself; `errorText` null means that it completed. */
  finish(errorText: string | null): void {
    if (this.#state !== 'running') return;
    const shown = errorText === null ? null : this.#output.shortenError(errorText);
    this.#end = { kind: 'result', errorText: shown, whole: errorText, at: performance.now() };
    this.#owner.ended(this, false);
    this.#state = 'draining';
    if (this.#notifications === 0) this.#finished();
    else for (const stopTimer of this.#observers.values()) stopTimer?.();
  }

  /** Ends the cell for the one who asks and for whoever observes, unless it has finished: then the result wins. */
  terminate(terminator?: Observer): void {
    if (terminator !== undefined) this.#observers.set(terminator, undefined);
    if (this.#state === 'running' || this.#state === 'draining') {
      this.#end = { kind: 'terminated' };
      this.#owner.ended(this, true);
      this.#finished();
    } else if (this.#state === 'finished') this.#deliver();
    // Nobody to hand the end to: the session is being shut down.
    if (terminator === undefined) this.#close();
  }

  #finished(): void {
    this.#state = 'finished';
    this.#deliver();
  }

  /** Hands the end to those who observe; more than one only where a terminate joined an observation. */
  #deliver(): void {
    if (this.#observers.size === 0) return;
    if (this.#end?.kind === 'result' && this.#output.beyondOneFrame) {
      // The end comes with the last of the output.
      for (const observer of [...this.#observers.keys()]) {
        if (!this.#output.beyondOneFrame) break;
        this.#remove(observer);
        this.#tell(observer, (progress) => ({ Yielded: progress }), null);
      }
      if (this.#observers.size > 0) this.#deliver();
      return;
    }
    const [first, ...others] = [...this.#observers.keys()];
    for (const stopTimer of this.#observers.values()) stopTimer?.();
    this.#observers.clear();
    const end = this.#end;
    if (first === undefined || end === undefined) return;
    if (end.kind === 'terminated') {
      this.#tell(first, (progress) => ({ Terminated: progress }), null, others);
    } else {
      const buffered = Math.max(0, Math.round((performance.now() - end.at) * 1e6));
      const late = first.startedAt > end.at;
      const more = { error_text: end.errorText, result_buffered_for_ns: late ? Math.max(1, buffered) : 0 };
      this.#tell(first, (progress) => ({ Result: { ...progress, ...more } }), end.whole);
      for (const other of others) other.answer(missing(this.id, other, this.#output));
    }
    this.#close();
  }

  #tell(
    observer: Observer,
    wrap: (progress: {
      cell_id: string;
      content_items: readonly ContentItem[];
      code_mode_host_duration_ns: number;
    }) => RuntimeResponse,
    errorText: string | null,
    sharers: readonly Observer[] = [],
  ): void {
    const held = this.#output.full;
    const { items, droppedBytes } = this.#output.take({ maxTokens: observer.maxTokens, errorText });
    if (held && !this.#output.full && this.#state === 'running') this.#owner.held(this, false);
    for (const each of [observer, ...sharers]) {
      const code_mode_host_duration_ns = durationNs(each.startedAt);
      const response = wrap({ cell_id: this.id, content_items: items, code_mode_host_duration_ns });
      each.answer({ kind: 'response', response, droppedBytes });
    }
  }

  #close(): void {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    this.#output.discard();
    this.#owner.closed(this);
  }

  #remove(observer: Observer): boolean {
    if (!this.#observers.has(observer)) return false;
    this.#observers.get(observer)?.();
    return this.#observers.delete(observer);
  }
}

function durationNs(since: number): number {
  return Math.max(0, Math.round((performance.now() - since) * 1e6));
}

/** The answer about a cell that is gone or never was. */
export function missing(cellId: string, { startedAt, maxTokens }: Observer, output: Output): Answer {
  const error_text = cellNotFoundText(cellId);
  return {
    kind: 'response',
    missing: true,
    droppedBytes: 0,
    response: {
      Result: {
        cell_id: cellId,
        content_items: output.take({ maxTokens, errorText: error_text }).items,
        error_text,
        result_buffered_for_ns: 0,
        code_mode_host_duration_ns: durationNs(startedAt),
      },
    },
  };
}
