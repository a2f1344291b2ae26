import type { CodemodeError } from '../../errors.js';
import type { OutgoingMessage } from '../wire/encoded-result.js';

/** How the messages of a peer came to an end. */
export interface ChannelEnd {
  /** Undefined for an orderly end. */
  readonly reason: CodemodeError | undefined;
  /** The peer still reads (the end of a pipe says nothing about the other direction). */
  readonly writable: boolean;
}

export interface ChannelEvents {
  message(text: string): void;
  /** Exactly once, behind the last message. */
  end(end: ChannelEnd): void;
}

/** Whole messages, both ways, over whatever carries them. */
export interface MessageChannel {
  /** How errors about a malformed message call the sender, with the words before it. */
  readonly complaint: string;
  /** Bytes that were accepted and have not gone yet. Absent: not known. */
  readonly unsentBytes?: number;
  /** No message may have more. Absent: as long as it likes. */
  readonly maxSendBytes?: number;
  /** Nothing arrives before this. */
  start(events: ChannelEvents): void;
  /** Resolves when the transport takes more, rejects when it is gone, of which `end` tells too. One at a time. */
  send(message: OutgoingMessage): Promise<void>;
  /** No more messages until `resume`, but for a few that are under way; at the end of the input those come too. */
  pause(): void;
  resume(): void;
  /** Sends what was accepted, then closes. `code` is a WebSocket close code. */
  close(code?: number, reason?: string): Promise<void>;
}
