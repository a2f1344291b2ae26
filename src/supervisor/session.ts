import type { Connection } from '../connection/connection.js';
import type { Delegate } from '../connection/delegate.js';
import type { Observation } from '../connection/observation.js';
import type { SessionRef } from '../connection/tables.js';
import type { CellExecutionLimits, ToolDefinition } from '../protocol/index.js';
import type { HostSlot } from './host-slot.js';
import { asFailure, requestCancelled, shuttingDown } from './messages.js';
import { untilAborted } from './until-aborted.js';

export interface SessionOptions {
  readonly delegate: Delegate;
  readonly limits?: CellExecutionLimits;
  /** Governs the opening only. */
  readonly signal?: AbortSignal;
}

export interface ExecuteOptions {
  readonly source: string;
  readonly tools?: readonly ToolDefinition[];
  readonly toolCallId?: string;
  readonly yieldTimeMs?: number;
  readonly maxOutputTokens?: number;
}

export interface WaitOptions {
  readonly yieldTimeMs: number;
  readonly maxOutputTokens?: number;
}

/** A cell that has started. */
export interface Cell {
  readonly id: string;
  /** Its first answer. Need not be awaited: a rejection that nobody hears is no fault. */
  readonly initial: Promise<Observation>;
}

/** One opening of a session at one host. */
interface Binding {
  readonly connection: Connection;
  readonly ref: SessionRef;
}

/**
 * A session that outlives hosts: when its host is lost, its next use opens it again at a new one, as a new generation.
 * Stored values and cells are lost then, and ids of the cells that are gone are refused.
 */
export class Session implements AsyncDisposable {
  readonly #slot: HostSlot;
  readonly #options: SessionOptions;
  readonly #onClosed: () => void;
  #id = '';
  #generation = 0;
  #binding: Binding | undefined;
  #opening: Promise<Binding> | undefined;
  #shutdown: Promise<void> | undefined;
  #calls = 0;

  /** Made by `Host.openSession`. Nothing is started before the first use. */
  constructor(slot: HostSlot, options: SessionOptions, onClosed: () => void = () => undefined) {
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

  async execute(request: ExecuteOptions, options: { readonly signal?: AbortSignal } = {}): Promise<Cell> {
    const { connection, ref } = await this.#use(options.signal);
    this.#calls++;
    const started = await connection.execute(
      ref,
      {
        tool_call_id: request.toolCallId ?? `${ref.id}-call-${this.#calls}`,
        enabled_tools: request.tools ?? [],
        source: request.source,
        ...(request.yieldTimeMs === undefined ? {} : { yield_time_ms: request.yieldTimeMs }),
        ...(request.maxOutputTokens === undefined ? {} : { max_output_tokens: request.maxOutputTokens }),
      },
      options.signal,
    );
    return { id: started.cellId, initial: started.initial };
  }

  async wait(
    cellId: string,
    request: WaitOptions,
    options: { readonly signal?: AbortSignal } = {},
  ): Promise<Observation> {
    const { connection, ref } = await this.#use(options.signal);
    return connection.wait(ref, cellId, request, options.signal);
  }

  async terminate(cellId: string, request: { readonly maxOutputTokens?: number } = {}): Promise<Observation> {
    const { connection, ref } = await this.#use();
    return connection.terminate(ref, cellId, request.maxOutputTokens);
  }

  /** Ends the session and its cells. The first call does it, later calls get the same result. */
  shutdown(): Promise<void> {
    this.#shutdown ??= this.#end().finally(this.#onClosed);
    return this.#shutdown;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.shutdown();
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
      await connection.open({ ...ref, delegate: this.#options.delegate }, this.#options.limits);
      this.#binding = { connection, ref };
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
