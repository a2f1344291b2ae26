import type { MessageChannel } from '../connection/message-channel.js';

/** A way to an exec-server. */
export interface Dialer {
  /** The server keeps the session when the connection is cut, and may be dialled again. */
  readonly resumable: boolean;
  /** Rejects with `connect-failed`, `connect-timeout`, `spawn-failed` or `cancelled`. */
  dial(signal: AbortSignal | undefined): Promise<MessageChannel>;
}
