import { checkOptionNames } from '../names/option-names.js';
import { within } from '../waiting/within.js';
import { type HostInfo, type HostOptions, resolveOptions } from './host-options.js';
import { HostSlot } from './host-slot.js';
import { hostClosed, requestCancelled } from './messages.js';
import { Session, type SessionOptions } from './session.js';
import { untilAborted } from './until-aborted.js';

export type { Delegate, DelegateContext, Hold, Notification, ToolCall } from '../connection/delegate.js';
export type { Observation } from '../connection/observation.js';
export type { RequestLimits } from '../connection/request-limits.js';
export { killAllHosts } from '../process/live-groups.js';
export type { HostEvent, HostInfo, HostOptions } from './host-options.js';
export { ownHost } from './own-host.js';
export { type Cell, type ExecuteOptions, Session, type SessionOptions, type WaitOptions } from './session.js';

/**
 * A supervised code-mode host: started when it is needed, watched while it runs, started again after it was lost, gone
 * when this is closed. Sessions share its one process.
 */
export class Host implements AsyncDisposable {
  readonly #slot: HostSlot;
  readonly #sessions = new Set<Session>();
  #closed: Promise<void> | undefined;

  constructor(options: HostOptions = {}) {
    this.#slot = new HostSlot(resolveOptions(options));
  }

  /** Starts the host and shakes hands, unless it runs already. */
  async connect(options: { readonly signal?: AbortSignal | undefined } = {}): Promise<HostInfo> {
    checkOptionNames('connect', options, { signal: true });
    const { signal } = options;
    this.#refuseIfUnusable(signal);
    const { info } = await untilAborted(this.#slot.host(), signal);
    return info;
  }

  /** Opens a session, and starts the host first when none runs. */
  async openSession(options: SessionOptions): Promise<Session> {
    this.#refuseIfUnusable(options?.signal);
    const session: Session = new Session(this.#slot, options, () => this.#sessions.delete(session));
    this.#sessions.add(session);
    try {
      await session.open(options.signal);
    } catch (error) {
      // What is still on its way is shut down when it arrives.
      session.shutdown().catch(() => undefined);
      throw error;
    }
    return session;
  }

  /**
   * Shuts the sessions down, within the limit for that, and ends the host. When this resolves the host is reaped, and
   * the rest of its group has been sent SIGKILL.
   */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(): Promise<void> {
    this.#slot.stopStarting();
    const ended = Promise.allSettled([...this.#sessions].map((session) => session.shutdown()));
    await within(ended, this.#slot.options.limits.shutdownMs, undefined);
    await this.#slot.close();
    await ended;
  }

  #refuseIfUnusable(signal: AbortSignal | undefined): void {
    if (this.#closed !== undefined) throw hostClosed();
    if (signal?.aborted === true) throw requestCancelled(signal.reason);
  }
}
