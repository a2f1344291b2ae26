import { onAbort } from '../waiting/on-abort.js';
import type { ResolvedOptions } from './host-options.js';
import { type LiveHost, launch } from './launch.js';
import { asFailure, hostClosed } from './messages.js';

/**
 * At most one live host. Whoever needs one gets the one that lives, or all of them share one start and its failure;
 * whoever comes after a failure tries afresh. A host is started only when the one before is gone.
 */
export class HostSlot {
  readonly options: ResolvedOptions;
  readonly #closing = new AbortController();
  readonly #ending = new Set<Promise<unknown>>();
  #live: LiveHost | undefined;
  #attempt: Promise<LiveHost> | undefined;
  #sessions = 0;

  constructor(options: ResolvedOptions) {
    this.options = options;
  }

  /** Session ids are never used twice, whatever host they were meant for. */
  nextSessionId(): string {
    this.#sessions++;
    return `session-${this.#sessions}`;
  }

  /** A host to talk to. Its failure is this caller's own copy. */
  async host(): Promise<LiveHost> {
    if (this.#closing.signal.aborted) throw hostClosed();
    if (this.#live !== undefined && this.#live.connection.failure === undefined) return this.#live;
    this.#attempt ??= this.#start();
    try {
      return await this.#attempt;
    } catch (error) {
      throw this.#closing.signal.aborted ? hostClosed() : asFailure(error);
    }
  }

  /** Stops a start that is under way, at once. */
  stopStarting(): void {
    this.#closing.abort(hostClosed());
  }

  /** Ends the host. When this resolves, no process is left. */
  async close(): Promise<void> {
    this.stopStarting();
    await this.#attempt?.catch(() => undefined);
    this.#live?.connection.close();
    while (this.#ending.size > 0) await Promise.allSettled(this.#ending);
  }

  async #start(): Promise<LiveHost> {
    try {
      while (this.#ending.size > 0) await Promise.allSettled(this.#ending);
      const live = await launch(this.options, this.#closing.signal);
      this.#live = live;
      onAbort(live.connection.signal, () => this.#bury(live));
      if (this.#closing.signal.aborted) live.connection.close();
      return live;
    } finally {
      this.#attempt = undefined;
    }
  }

  #bury(live: LiveHost): void {
    if (this.#live === live) this.#live = undefined;
    live.process.kill();
    const gone = live.process.dispose().finally(() => this.#ending.delete(gone));
    this.#ending.add(gone);
    const { failure } = live.connection;
    if (failure !== undefined && failure.code !== 'connection-closed') {
      this.options.onEvent({ type: 'dead', error: failure });
    }
  }
}
