import type { CodemodeError, ErrorData } from '../errors.js';
import type { CellExecutionLimits, Codec, ExecuteRequest, FrameDecoder } from '../protocol/index.js';
import { startTimer } from '../waiting/timer.js';
import type { ByteSink, PeerEnd } from './bytes.js';
import { Caller } from './caller.js';
import { Cancellation } from './cancellation.js';
import { Driver } from './driver.js';
import type { Command } from './driver-input.js';
import { type Conclusion, Endings } from './endings.js';
import type { Inlet } from './inlet.js';
import * as say from './messages.js';
import type { Observation } from './observation.js';
import { Reader } from './reader.js';
import { dueMs, type RequestLimits } from './request-limits.js';
import type { SessionRef, SessionSeed, StartedCell } from './tables.js';
import { Writer } from './writer.js';

export interface ConnectionParts {
  readonly inlet: Inlet;
  readonly decoder: FrameDecoder;
  readonly sink: ByteSink;
  readonly ended: Promise<PeerEnd>;
  readonly codec: Codec;
  readonly capabilities: readonly string[];
  readonly limits: RequestLimits;
  /** What is known about the peer, for the data of the error that ends the connection. */
  readonly facts?: (() => ErrorData) | undefined;
}

/**
 * Answers to a host's calls that may wait for it to read. More than it may have calls open, for each call beyond that
 * is answered too: a host that makes 10,000 calls in one go reads none of the refusals meanwhile.
 */
const ANSWER_QUEUE = 16_384;

interface Limit {
  readonly ms: number;
  readonly error: () => CodemodeError;
}

/**
 * One conversation with a host, from after the handshake to its end. Reader, writer and driver share one token; the
 * first reason that reaches it ends all of them, and everybody who waits gets that reason. A connection is never repaired.
 */
export class Connection {
  readonly capabilities: readonly string[];
  readonly codec: Codec['name'];
  readonly #token: Cancellation;
  readonly #driver: Driver;
  readonly #reader: Reader;
  readonly #writer: Writer;
  readonly #endings: Endings;
  readonly #limits: RequestLimits;

  constructor({ inlet, decoder, sink, ended, codec, capabilities, limits, facts }: ConnectionParts) {
    this.#token = new Cancellation(facts);
    this.capabilities = capabilities;
    this.codec = codec.name;
    this.#limits = limits;
    this.#endings = new Endings(ended, (conclusion) => this.#concluded(conclusion));
    this.#writer = new Writer(sink, {
      codec,
      answerLimit: ANSWER_QUEUE,
      broken: (symptom) => this.#endings.symptom(symptom),
    });
    this.#driver = new Driver({
      token: this.#token,
      outlet: this.#writer,
      capabilities,
      bytes: codec.name === 'msgpack' ? 'keep' : 'base64',
    });
    this.#reader = new Reader(inlet, decoder, codec, {
      message: (message) => this.#driver.handle({ type: 'message', message }),
      fault: (reason) => this.#token.cancel(reason),
      end: (symptom) => this.#endings.outputEnded(symptom),
    });
    this.#token.signal.addEventListener('abort', () => this.#dead(), { once: true });
    this.#reader.start();
  }

  /** Fires when the connection is dead; its reason is a `CodemodeError`. By then every caller and delegate was told. */
  get signal(): AbortSignal {
    return this.#token.signal;
  }

  /** Why the connection is dead; undefined while it lives. */
  get failure(): CodemodeError | undefined {
    return this.#token.reason;
  }

  open(session: SessionSeed, limits: CellExecutionLimits = {}, signal?: AbortSignal): Promise<void> {
    return this.#call<void>((caller) => ({ type: 'open', session, limits, caller }), {
      signal,
      limit: this.#own('openMs', 'did not open a session'),
    });
  }

  /** Resolves when the cell has started. A caller that gives up before it has the cell in hand leaves none behind. */
  async execute(session: SessionRef, request: ExecuteRequest, signal?: AbortSignal): Promise<StartedCell> {
    const claim = (started: StartedCell) => this.#driver.handle({ type: 'claim', id: started.requestId });
    const started = await this.#call<StartedCell>((caller) => ({ type: 'execute', session, request, caller }), {
      signal,
      limit: this.#own('executeMs', 'did not start a cell'),
      claim,
    });
    this.#limitInitial(started, request.yield_time_ms);
    return started;
  }

  wait(
    session: SessionRef,
    cellId: string,
    request: { readonly yieldTimeMs: number; readonly maxOutputTokens?: number | undefined },
    signal?: AbortSignal,
  ): Promise<Observation> {
    const { yieldTimeMs, maxOutputTokens } = request;
    const ms = dueMs(yieldTimeMs) + this.#limits.waitGraceMs;
    return this.#call<Observation>(
      (caller) => ({ type: 'wait', session, cellId, yieldTimeMs, maxOutputTokens, caller }),
      { signal, limit: { ms, error: () => say.requestTimeout('wait', ms) } },
    );
  }

  terminate(session: SessionRef, cellId: string, maxOutputTokens?: number): Promise<Observation> {
    const ms = this.#limits.terminateMs;
    return this.#call<Observation>((caller) => ({ type: 'terminate', session, cellId, maxOutputTokens, caller }), {
      limit: { ms, error: () => say.requestTimeout('terminate', ms) },
    });
  }

  /** Ends the observations of a cell with what is there. False when the host cannot do that. */
  yieldNow(session: SessionRef, cellId: string): boolean {
    if (!this.capabilities.includes('yield-observation')) return false;
    this.#driver.handle({ type: 'yield', session, cellId });
    return true;
  }

  shutdown(session: SessionRef): Promise<void> {
    return this.#call<void>((caller) => ({ type: 'shutdown', session, caller }), {
      limit: this.#own('shutdownMs', 'did not shut a session down'),
    });
  }

  /** Ends the connection from this side. */
  close(reason: CodemodeError = say.closedHere()): void {
    this.#token.cancel(reason);
  }

  async #call<T>(
    command: (caller: Caller<T>) => Command,
    options: { signal?: AbortSignal | undefined; limit: Limit; claim?: (value: T) => void },
  ): Promise<T> {
    const caller = new Caller<T>(options.signal);
    const stopTimer = this.#startLimit(options.limit);
    try {
      this.#driver.handle({ type: 'command', command: command(caller) });
      const value = await caller.promise;
      // It may have been given up after the answer came; the driver knows, since it was told at once.
      if (options.claim !== undefined && caller.cancelled !== undefined) throw caller.cancelled;
      options.claim?.(value);
      return value;
    } finally {
      stopTimer();
      caller.release();
    }
  }

  /** A host that is late is given up as a whole: whatever it says later could not be trusted. */
  #startLimit({ ms, error }: Limit): () => void {
    if (this.#token.signal.aborted) return () => undefined;
    return startTimer(ms, () => this.#token.cancel(error()));
  }

  #limitInitial(started: StartedCell, yieldTimeMs: number | null | undefined): void {
    const ms = dueMs(yieldTimeMs) + this.#limits.firstResultGraceMs;
    const stop = this.#startLimit({
      ms,
      error: () => say.limitExceeded('firstResultGraceMs', ms, `gave no first result of cell ${started.cellId}`),
    });
    started.initial.then(stop, stop);
  }

  #own(limit: keyof RequestLimits, event: string): Limit {
    const ms = this.#limits[limit];
    return { ms, error: () => say.limitExceeded(limit, ms, event) };
  }

  #concluded({ end, symptom }: Conclusion): void {
    this.#reader.finish(); // complete frames that are here come first, and may be the reason themselves
    if (end === undefined) this.#token.cancel(symptom ?? say.closedHere());
    else if (symptom?.code === 'protocol-error' && end.bySignal !== true)
      this.#token.cancel(say.withStatus(symptom, end));
    else this.#token.cancel(say.exited(end, symptom));
  }

  #dead(): void {
    const reason = this.#token.reason ?? say.closedHere();
    this.#endings.stop();
    this.#reader.stop();
    this.#writer.stop();
    this.#driver.fail(reason);
  }
}
