import type { CodemodeError } from '../../errors.js';
import { startTimer } from '../../waiting/timer.js';
import { GAP_PATIENCE_MS } from '../wire/limits.js';
import { EventOrder } from './event-order.js';
import { EventQueue } from './event-queue.js';
import { stateUnknown } from './messages.js';
import type { NumberedEvent, ProcessEvent, ProcessOutput } from './process-event.js';

/** What waits for a reader, or for what is missing in front of it; beyond it nothing more is kept here, and the server is asked again later. */
const BUFFER_BYTES = 4 * 1024 * 1024;
/** Longest pause between two questions whether a process whose leader is gone is closed. */
const MAX_PATIENCE_MS = 60_000;

export interface StreamOptions {
  readonly processId: string;
  /** Everything retained behind a number. Rejects with a reason that is final. */
  readonly ask: (afterSeq: number) => Promise<ProcessOutput>;
  readonly onClosed: () => void;
  readonly bufferBytes?: number | undefined;
  readonly patienceMs?: number | undefined;
}

/**
 * What happens to one process, for one reader. Pushed events are for speed; the server is asked when something is
 * missing for 5 s, when the connection was cut, and when a slow reader has caught up with what was kept for it.
 */
export class ProcessStream {
  readonly #options: StreamOptions;
  readonly #order = new EventOrder();
  readonly #queue: EventQueue;
  readonly #bufferBytes: number;
  /** Pushed events were dropped: the reader is slow. */
  #behind = false;
  #asking = false;
  #askAgain = false;
  #started = false;
  #over = false;
  #patienceMs: number;
  #stopTimer: (() => void) | undefined;

  constructor(options: StreamOptions) {
    this.#options = options;
    this.#bufferBytes = options.bufferBytes ?? BUFFER_BYTES;
    this.#patienceMs = options.patienceMs ?? GAP_PATIENCE_MS;
    this.#queue = new EventQueue(() => this.#taken());
  }

  get closed(): boolean {
    return this.#order.closed;
  }

  next(): Promise<IteratorResult<ProcessEvent, undefined>> {
    return this.#queue.next();
  }

  /** The start was answered: from now on the server may be asked. */
  start(): void {
    this.#started = true;
    this.#taken();
    this.#watch();
  }

  push(event: NumberedEvent): void {
    if (this.#over) return;
    if (this.#behind && !this.#asking) return;
    this.#put(this.#order.add(event));
    if (this.#queue.bytes + this.#order.earlyBytes > this.#bufferBytes) this.#giveUp();
    this.#watch();
  }

  /** What is too much is not kept; the server has it, or says how much is gone. */
  #giveUp(): void {
    this.#behind = true;
    const early = this.#order.holey;
    this.#order.dropEarly();
    // An answer that is under way may not reach as far as what was just dropped.
    if (early && this.#asking) this.#askAgain = true;
    else this.#taken();
  }

  /** Asks for what was missed. */
  repair(): void {
    if (this.#over || !this.#started) return;
    if (this.#asking) {
      this.#askAgain = true;
      return;
    }
    this.#asking = true;
    this.#rest();
    this.#options.ask(this.#order.last).then(
      (output) => this.#repaired(output),
      (error: CodemodeError) => this.fail(stateUnknown(this.#options.processId, error)),
    );
  }

  fail(reason: CodemodeError): void {
    this.#over = true;
    this.#rest();
    this.#queue.fail(reason);
  }

  #repaired(output: ProcessOutput): void {
    this.#asking = false;
    if (this.#over) return;
    this.#behind = false;
    this.#put(this.#order.merge(output));
    if (this.#queue.bytes > this.#bufferBytes) this.#behind = true;
    if (this.#askAgain) {
      this.#askAgain = false;
      this.repair();
    }
    this.#watch();
  }

  #put(events: readonly ProcessEvent[]): void {
    this.#queue.put(events);
    if (!this.#order.closed || this.#over) return;
    this.#over = true;
    this.#rest();
    this.#options.onClosed();
  }

  #taken(): void {
    if (this.#behind && !this.#asking && this.#queue.bytes <= this.#bufferBytes / 2) this.repair();
  }

  /** A hole that stays, or an end that does not come, is asked about; a slow reader asks by itself. */
  #watch(): void {
    const doubtful = !this.#behind && (this.#order.holey || this.#order.exited);
    if (this.#over || !this.#started || !doubtful || this.#asking) {
      if (!doubtful) this.#rest();
      return;
    }
    if (this.#stopTimer !== undefined) return;
    this.#stopTimer = startTimer(this.#patienceMs, () => {
      this.#patienceMs = Math.min(this.#patienceMs * 2, MAX_PATIENCE_MS);
      this.repair();
    });
  }

  #rest(): void {
    this.#stopTimer?.();
    this.#stopTimer = undefined;
  }
}
