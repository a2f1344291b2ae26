import {
  type ExitedEvent,
  type NumberedEvent,
  type ProcessEvent,
  type ProcessOutput,
  sizeOf,
} from './process-event.js';

/**
 * Puts the events of one process into the order of their numbers, whatever order they arrive in, and each once. Knows
 * nothing of time and transports: what is missing is for others to ask for, and `merge` takes the answer.
 */
export class EventOrder {
  readonly #early = new Map<number, NumberedEvent['event']>();
  #earlyBytes = 0;
  #last = 0;
  #bytes = 0;
  #exited = false;
  #closed = false;

  /** The number up to which everything was handed over. */
  get last(): number {
    return this.#last;
  }

  get exited(): boolean {
    return this.#exited;
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** Something arrived before what stands in front of it. */
  get holey(): boolean {
    return this.#early.size > 0;
  }

  /** What it takes. */
  get earlyBytes(): number {
    return this.#earlyBytes;
  }

  /** What can be handed over now. */
  add({ seq, event }: NumberedEvent): readonly ProcessEvent[] {
    if (seq <= this.#last || this.#closed) return [];
    this.#keep(seq, event);
    const ready: ProcessEvent[] = [];
    for (let next = this.#take(this.#last + 1); next !== undefined; next = this.#take(this.#last + 1)) {
      this.#pass(next, ready);
    }
    return ready;
  }

  /** Forgets what came early: it will be asked for. */
  dropEarly(): void {
    this.#early.clear();
    this.#earlyBytes = 0;
  }

  /**
   * Takes everything that the server retains behind `last`, an answer without `maxBytes`. Numbers that are missing in it
   * are the exit, which takes one and is told without it, or output that was evicted.
   */
  merge(output: ProcessOutput): readonly ProcessEvent[] {
    if (this.#closed) return [];
    const ready: ProcessEvent[] = [];
    const end = Math.max(output.nextSeq - 1, this.#last);
    const lost = this.#lostBytes(output, end);
    for (const chunk of output.chunks) if (chunk.seq > this.#last) this.#keep(chunk.seq, chunk);
    if (output.closed === true) this.#keep(end, { type: 'closed' });
    const exit = this.#unseenExit(output);
    if (exit !== undefined) this.#placeExit(exit, end);
    const seqs = [...this.#early.keys()].filter((seq) => seq <= end).sort((one, other) => one - other);
    for (const seq of seqs) {
      this.#skipTo(seq - 1, lost, ready);
      const event = this.#take(seq);
      if (event?.type === 'closed' && exit !== undefined && !this.#exited) this.#tell(exit, ready);
      if (event !== undefined) this.#pass(event, ready);
    }
    if (this.#closed) return ready;
    this.#skipTo(end, lost, ready);
    if (exit !== undefined && !this.#exited) this.#tell(exit, ready);
    return ready;
  }

  /** Evicted, and neither told before nor here. */
  #lostBytes({ chunks, droppedBytes }: ProcessOutput, end: number): number | undefined {
    if (droppedBytes === undefined) return undefined;
    const oldest = chunks[0]?.seq ?? end + 1;
    let here = this.#bytes;
    for (const [seq, event] of this.#early) if (event.type === 'output' && seq < oldest) here += event.bytes.length;
    return Math.max(0, droppedBytes - here);
  }

  #unseenExit(output: ProcessOutput): ExitedEvent | undefined {
    if (!output.exited || this.#exited || [...this.#early.values()].some(({ type }) => type === 'exited'))
      return undefined;
    return { type: 'exited', code: output.exitCode ?? null, sandboxDenied: output.sandboxDenied === true };
  }

  /** The last number without an event: what was evicted is older. */
  #placeExit(exit: ExitedEvent, end: number): void {
    let seq = end;
    while (seq > this.#last && this.#early.has(seq)) seq--;
    if (seq > this.#last) this.#keep(seq, exit);
  }

  /** Everything up to `seq` is gone. `lostBytes` are told with the first gap. */
  #skipTo(seq: number, lostBytes: number | undefined, ready: ProcessEvent[]): void {
    const missed = seq - this.#last;
    if (missed <= 0) return;
    const first = !ready.some(({ type }) => type === 'gap');
    ready.push({ type: 'gap', missed, ...(first && lostBytes !== undefined ? { missedBytes: lostBytes } : {}) });
    if (first) this.#bytes += lostBytes ?? 0;
    this.#last = seq;
  }

  #keep(seq: number, event: NumberedEvent['event']): void {
    this.#take(seq);
    this.#early.set(seq, event);
    this.#earlyBytes += sizeOf(event);
  }

  #take(seq: number): NumberedEvent['event'] | undefined {
    const event = this.#early.get(seq);
    if (event === undefined) return undefined;
    this.#early.delete(seq);
    this.#earlyBytes -= sizeOf(event);
    return event;
  }

  #pass(event: NumberedEvent['event'], ready: ProcessEvent[]): void {
    this.#last++;
    this.#tell(event, ready);
  }

  #tell(event: NumberedEvent['event'], ready: ProcessEvent[]): void {
    ready.push(event);
    if (event.type === 'output') this.#bytes += event.bytes.length;
    if (event.type === 'exited') this.#exited = true;
    if (event.type === 'closed') {
      this.#closed = true;
      this.dropEarly();
    }
  }
}
