import { CodemodeError } from '../../errors.js';
import { onAbort } from '../../waiting/on-abort.js';
import { pauseFor, startTimer } from '../../waiting/timer.js';
import { connectionClosed } from '../connection/messages.js';
import type { CallOptions } from '../connection/pending-calls.js';
import { RECOVERY_RETRY_MS } from '../wire/limits.js';
import { rpcCodes } from '../wire/rpc-error.js';
import type { Dialer } from './dialer.js';
import { type HandshakeOptions, type Link, openLink } from './link.js';
import { connectCancelled, initializeRefused, notResumed, resumeRefused } from './messages.js';

export interface SessionOptions {
  readonly clientName: string;
  readonly initializeTimeoutMs: number;
  readonly recoveryLimitMs: number;
  readonly authToken?: string | undefined;
}

export interface SessionEvents {
  notification(method: string, params: unknown): void;
  /** The connection was cut and is there again; what came meanwhile must be asked for. */
  resumed(): void;
  /** Exactly once: nothing comes any more. */
  over(reason: CodemodeError): void;
}

/** A session with a server over one connection after the other. */
export class Session {
  readonly #dialer: Dialer;
  readonly #options: SessionOptions;
  readonly #events: SessionEvents;
  readonly #life = new AbortController();
  #link: Link | undefined;
  /** Settles when there is a link again; then `#link` is set. */
  #recovery: Promise<void> | undefined;

  private constructor(dialer: Dialer, options: SessionOptions, events: SessionEvents) {
    this.#dialer = dialer;
    this.#options = options;
    this.#events = events;
  }

  static async open(
    dialer: Dialer,
    options: SessionOptions,
    events: SessionEvents,
    signal: AbortSignal | undefined,
  ): Promise<Session> {
    const session = new Session(dialer, options, events);
    session.#link = await session.#connect(undefined, signal).catch((error: unknown) => {
      const refused = error instanceof CodemodeError && error.code === 'operation-failed';
      throw refused ? initializeRefused(error) : error;
    });
    return session;
  }

  get id(): string | undefined {
    return this.#link?.sessionId;
  }

  /** Why it is over; undefined while it lives, also while it recovers. */
  get reason(): CodemodeError | undefined {
    return this.#life.signal.aborted ? (this.#life.signal.reason as CodemodeError) : undefined;
  }

  /**
   * Waits while the session recovers. A call that is under way when the connection breaks is rejected with
   * `connection-lost`, for nobody knows whether it took effect.
   */
  async call(method: string, params: unknown, options: CallOptions = {}): Promise<unknown> {
    while (this.#recovery !== undefined && this.reason === undefined) await this.#waitForLink(options.signal);
    if (this.reason !== undefined || this.#link === undefined) throw (this.reason ?? connectionClosed()).copy();
    return this.#link.connection.request(method, params, options);
  }

  /** As `call`, and once more after a recovery: for what may safely be said twice. */
  async callAgain(method: string, params: unknown, options: CallOptions = {}): Promise<unknown> {
    for (;;) {
      try {
        return await this.call(method, params, options);
      } catch (error) {
        if (!this.willResume(error)) throw error;
        await new Promise((resolve) => setImmediate(resolve)); // the loss is told before the recovery begins
      }
    }
  }

  /** The call that failed with `error` may be made again. */
  willResume(error: unknown): boolean {
    const lost = error instanceof CodemodeError && error.code === 'connection-lost';
    return lost && this.reason === undefined && this.#dialer.resumable;
  }

  async close(): Promise<void> {
    const link = this.#link;
    this.#end(connectionClosed());
    await link?.connection.close();
    await this.#recovery;
  }

  #connect(resumeSessionId: string | undefined, signal: AbortSignal | undefined): Promise<Link> {
    return this.#dialer.dial(signal).then((channel) => this.#introduce(channel, resumeSessionId, signal));
  }

  async #introduce(
    channel: Parameters<typeof openLink>[0],
    resumeSessionId: string | undefined,
    signal: AbortSignal | undefined,
  ): Promise<Link> {
    const { clientName, initializeTimeoutMs, authToken } = this.#options;
    const handshake: HandshakeOptions = { clientName, initializeTimeoutMs, authToken, resumeSessionId, signal };
    let opened: Link | undefined;
    let lostEarly: CodemodeError | undefined;
    const events = {
      notification: (method: string, params: unknown) => this.#events.notification(method, params),
      lost: (reason: CodemodeError) => {
        if (opened === undefined) lostEarly = reason;
        else this.#lost(opened, reason);
      },
    };
    const link = await openLink(channel, events, handshake);
    if (lostEarly !== undefined) throw lostEarly;
    opened = link;
    return link;
  }

  #lost(link: Link, reason: CodemodeError): void {
    if (this.reason !== undefined || link !== this.#link) return;
    const { sessionId } = link;
    if (!this.#dialer.resumable || sessionId === undefined || reason.code !== 'connection-lost') {
      this.#end(reason);
      return;
    }
    const recovery = this.#recover(sessionId, reason).finally(() => {
      if (this.#recovery === recovery) this.#recovery = undefined;
    });
    this.#recovery = recovery;
  }

  async #recover(sessionId: string, reason: CodemodeError): Promise<void> {
    const { recoveryLimitMs } = this.#options;
    const limit = new AbortController();
    const stopTimer = startTimer(recoveryLimitMs, () => limit.abort());
    try {
      await this.#resume(sessionId, reason, AbortSignal.any([limit.signal, this.#life.signal]));
    } finally {
      stopTimer();
    }
  }

  async #resume(sessionId: string, reason: CodemodeError, signal: AbortSignal): Promise<void> {
    let last: unknown = reason;
    while (!signal.aborted) {
      try {
        const link = await this.#connect(sessionId, signal);
        // Whoever closed us meanwhile knew only of the link before.
        if (this.reason !== undefined) return await link.connection.close();
        this.#link = link;
        this.#events.resumed();
        return;
      } catch (error) {
        if (isFinal(error)) {
          this.#end(resumeRefused(error));
          return;
        }
        if (!signal.aborted) last = error;
      }
      await pauseFor(RECOVERY_RETRY_MS, signal);
    }
    this.#end(notResumed(this.#options.recoveryLimitMs, last));
  }

  #waitForLink(signal: AbortSignal | undefined): Promise<void> {
    const recovery = this.#recovery ?? Promise.resolve();
    return new Promise((resolve, reject) => {
      const stop = onAbort(signal, () => reject(connectCancelled(signal?.reason)));
      recovery.finally(() => {
        stop();
        resolve();
      });
    });
  }

  #end(reason: CodemodeError): void {
    if (this.reason !== undefined) return;
    this.#life.abort(reason);
    this.#events.over(reason);
  }
}

/** The server does not know the session, or does not want us: asking again changes nothing. */
function isFinal(error: unknown): boolean {
  if (!(error instanceof CodemodeError)) return true;
  const { code, data } = error;
  if (code === 'operation-failed') return data.code !== rpcCodes.sessionAttached;
  if (code === 'connect-failed') return data.status === 401 || data.status === 403;
  return code === 'protocol-error' || code === 'invalid-argument';
}
