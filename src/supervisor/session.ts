import { hostCellId } from '../connection/cell-id.js';
import type { Connection } from '../connection/connection.js';
import type { Delegate } from '../connection/delegate.js';
import type { Observation } from '../connection/observation.js';
import type { SessionRef, StartedCell } from '../connection/tables.js';
import { CodemodeError } from '../errors.js';
import type { CellExecutionLimits, ToolDefinition } from '../protocol/index.js';
import { onAbort } from '../waiting/on-abort.js';
import { CellHolds } from './cell-holds.js';
import type { HostSlot } from './host-slot.js';
import { asFailure, requestCancelled, shuttingDown } from './messages.js';
import { OutputBudget } from './output-budget.js';
import { checkExecute, checkSession, checkTerminate, checkWait } from './session-arguments.js';
import { ToolCatalog } from './tool-catalog.js';
import { untilAborted } from './until-aborted.js';

export interface SessionOptions {
  /** Answers the calls of cells; `toolbox.delegate()` makes one. */
  readonly delegate: Delegate;
  /** For each cell. A host without the capability for it rejects with `unsupported`. */
  readonly limits?: CellExecutionLimits | undefined;
  /**
   * Keeps the output of each observation within a budget of tokens, four bytes each: `maxOutputTokens` of the call, or
   * 10,000. The middle is cut out. The host does it where it can, otherwise this side.
   */
  readonly truncateOutput?: boolean | undefined;
  /** Governs the opening only. */
  readonly signal?: AbortSignal | undefined;
}

export interface ExecuteOptions {
  /** JavaScript: a module without imports. */
  readonly source: string;
  /** What `toolbox.definitions` has. Default: none. */
  readonly tools?: readonly ToolDefinition[] | undefined;
  /** Comes back with notifications. Default: one that is made up. */
  readonly toolCallId?: string | undefined;
  /** When the first answer is due though the cell still runs, in ms. Default: 10,000. */
  readonly yieldTimeMs?: number | undefined;
  /** For the first answer, four bytes each. Counts with `truncateOutput` only. Default: 10,000. */
  readonly maxOutputTokens?: number | undefined;
}

export interface WaitOptions {
  /** When the answer is due though the cell still runs, in ms; 0: at once. */
  readonly yieldTimeMs: number;
  /** For this answer, four bytes each. Counts with `truncateOutput` only. Default: 10,000. */
  readonly maxOutputTokens?: number | undefined;
}

/** Of every call: it is given up with `cancelled`. What else a call can be told stands before it. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

/** A cell that has started. */
export interface Cell {
  readonly id: string;
  /** Its first answer. Need not be awaited: a rejection that nobody hears is no fault. */
  readonly initial: Promise<Observation>;
}

/** The host's words for a catalogue that it was never sent. */
const UNKNOWN_REVISION = 'unknown code-mode catalog revision';

/** One opening of a session at one host. */
interface Binding {
  readonly connection: Connection;
  readonly ref: SessionRef;
  readonly catalog: ToolCatalog;
  readonly budget: OutputBudget;
}

/**
 * A session that outlives hosts: when its host is lost, its next use opens it again at a new one, as a new generation.
 * Stored values and cells are lost then, and ids of the cells that are gone are refused.
 */
export class Session implements AsyncDisposable {
  readonly #slot: HostSlot;
  readonly #options: SessionOptions;
  readonly #onClosed: () => void;
  readonly #holds = new CellHolds();
  readonly #closing = new AbortController();
  #id = '';
  #generation = 0;
  #binding: Binding | undefined;
  #opening: Promise<Binding> | undefined;
  #shutdown: Promise<void> | undefined;
  #calls = 0;

  /** @internal Made by `Host.openSession`. Nothing is started before the first use. */
  constructor(slot: HostSlot, options: SessionOptions, onClosed: () => void = () => undefined) {
    checkSession(options);
    this.#slot = slot;
    this.#options = options;
    this.#onClosed = onClosed;
  }

  /** The id at the current host, or the one of the latest attempt to open; empty before the first. */
  get id(): string {
    return this.#id;
  }

  /** Opens the session now, for callers that want to hear of a missing host early. */
  async open(signal?: AbortSignal): Promise<void> {
    await this.#use(signal);
  }

  /**
   * Starts a cell. Rejects with `frame-too-large`, or with the reason for which there is no host; `operation-failed` when
   * the host refuses it.
   */
  async execute(request: ExecuteOptions, options: CallOptions = {}): Promise<Cell> {
    checkExecute(request, options);
    const binding = this.#live(options.signal) ?? (await this.#use(options.signal));
    this.#calls++;
    const toolCallId = request.toolCallId ?? `${binding.ref.id}-call-${this.#calls}`;
    const started = await this.#execute(binding, { ...request, toolCallId }, options.signal);
    const initial = started.initial.then((seen) => binding.budget.apply(seen, request.maxOutputTokens));
    initial.catch(() => undefined);
    return { id: started.cellId, initial };
  }

  /** What a cell has put out since the last look. Rejects with `stale-cell` for a cell of a host that is gone. */
  async wait(cellId: string, request: WaitOptions, options: CallOptions = {}): Promise<Observation> {
    checkWait(request, options);
    this.#refuseLostCell();
    const { connection, ref, budget } = this.#live(options.signal) ?? (await this.#use(options.signal));
    const { yieldTimeMs, maxOutputTokens } = request;
    const observed = await connection.wait(
      ref,
      cellId,
      { yieldTimeMs, maxOutputTokens: budget.tokensForHost(maxOutputTokens) },
      options.signal,
    );
    return budget.apply(observed, maxOutputTokens);
  }

  /** Ends a cell. The signal gives up the wait for the answer; the cell ends all the same. */
  async terminate(
    cellId: string,
    request: { readonly maxOutputTokens?: number | undefined } = {},
    options: CallOptions = {},
  ): Promise<Observation> {
    checkTerminate(request, options);
    this.#refuseLostCell();
    const { connection, ref, budget } = this.#live(options.signal) ?? (await this.#use(options.signal));
    const answer = connection.terminate(ref, cellId, budget.tokensForHost(request.maxOutputTokens));
    answer.catch(() => undefined);
    const observed = await untilAborted(answer, options.signal);
    return budget.apply(observed, request.maxOutputTokens);
  }

  /**
   * Ends whoever waits for a cell, its first answer or a `wait`, now and with what is there; the cell goes on. False when
   * the host cannot (it lacks `yield-observation`, or is gone).
   */
  yieldNow(cellId: string): boolean {
    const binding = this.#binding;
    return binding?.connection.failure === undefined && binding?.connection.yieldNow(binding.ref, cellId) === true;
  }

  /**
   * Tells whether a cell's time limit has to stand still, since a tool call holds it: at once if it is so, and whenever
   * it changes. Gives back a function that ends that, to be called when the cell is over.
   */
  watchHolds(cellId: string, listener: (held: boolean) => void): () => void {
    return this.#holds.watch(cellId, listener);
  }

  /**
   * Tells, once, when nothing more can come from a cell: its host is lost, or the session is shut down. At once if it is
   * so. Gives back a function that ends that, to be called when the cell is over.
   */
  watchLoss(cellId: string, listener: () => void): () => void {
    let told = false;
    const tell = (): void => {
      if (told) return;
      told = true;
      listener();
    };
    const binding = this.#binding;
    // The session may be open at the next host by now.
    const isLost = binding !== undefined && hostCellId(binding.ref.generation, cellId) === undefined;
    const lost = isLost ? AbortSignal.abort() : binding?.connection.signal;
    const stops = [lost, this.#closing.signal].map((signal) => onAbort(signal, tell));
    return () => {
      for (const stop of stops) stop();
    };
  }

  /** Ends the session and its cells. The first call does it, later calls get the same result. */
  shutdown(): Promise<void> {
    this.#shutdown ??= this.#end().finally(this.#onClosed);
    this.#closing.abort();
    return this.#shutdown;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.shutdown();
  }

  async #execute(binding: Binding, request: ExecuteOptions, signal?: AbortSignal): Promise<StartedCell> {
    const { connection, ref, catalog, budget } = binding;
    const { toolCallId = '', tools = [], source, yieldTimeMs } = request;
    const tokens = budget.tokensForHost(request.maxOutputTokens);
    const send = () =>
      connection.execute(
        ref,
        {
          tool_call_id: toolCallId,
          source,
          ...catalog.fields(tools),
          ...(yieldTimeMs === undefined ? {} : { yield_time_ms: yieldTimeMs }),
          ...(tokens === undefined ? {} : { max_output_tokens: tokens }),
        },
        signal,
      );
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof CodemodeError && error.message === UNKNOWN_REVISION)) throw error;
      // No cell was made. The request that carried the list may have been given up before it was sent.
      catalog.forget();
      return await send();
    }
  }

  /** A lost host took its cells along, and why it was lost says more than that; no new host is started for them. */
  #refuseLostCell(): void {
    const failure = this.#opening === undefined ? this.#binding?.connection.failure : undefined;
    if (failure !== undefined) throw failure.copy();
  }

  /** The binding when there is nothing to wait for: what is asked in one tick then reaches the host in that order. */
  #live(signal?: AbortSignal): Binding | undefined {
    const usable = this.#shutdown === undefined && signal?.aborted !== true;
    return usable && this.#binding?.connection.failure === undefined ? this.#binding : undefined;
  }

  async #use(signal?: AbortSignal): Promise<Binding> {
    if (this.#shutdown !== undefined) throw shuttingDown();
    if (signal?.aborted === true) throw requestCancelled(signal.reason);
    if (this.#binding !== undefined && this.#binding.connection.failure === undefined) return this.#binding;
    this.#opening ??= this.#open();
    try {
      const binding = await untilAborted(this.#opening, signal);
      // Cast: it may have changed while we waited.
      if ((this.#shutdown as Promise<void> | undefined) !== undefined) throw shuttingDown();
      return binding;
    } catch (error) {
      throw asFailure(error);
    }
  }

  /** Goes on when the caller that asked for it gives up: others may wait for it as well. */
  async #open(): Promise<Binding> {
    this.#generation++;
    const ref: SessionRef = { id: this.#slot.nextSessionId(), generation: this.#generation };
    this.#id = ref.id;
    try {
      const { connection } = await this.#slot.host();
      const { delegate, limits, truncateOutput = false } = this.#options;
      const budget = new OutputBudget(truncateOutput, connection.capabilities);
      const held = this.#holds.wrap(delegate, ref.id);
      await connection.open({ ...ref, delegate: held, hostTruncates: budget.byHost }, limits);
      this.#binding = { connection, ref, budget, catalog: new ToolCatalog(connection.capabilities) };
      return this.#binding;
    } finally {
      this.#opening = undefined;
    }
  }

  async #end(): Promise<void> {
    await this.#opening?.catch(() => undefined);
    const binding = this.#binding;
    // With a dead connection every delegate has been told already: that happened in the moment in which it died.
    if (binding === undefined || binding.connection.failure !== undefined) return;
    await binding.connection.shutdown(binding.ref);
  }
}
