import type { ChannelEvents } from './channel.js';

/** Hands on what came in. Nothing that a server sends may throw where its stream is read: that would end all of us. */
export function takeMessage(events: ChannelEvents, value: unknown): boolean {
  try {
    return events.message(value);
  } catch {
    return false;
  }
}
