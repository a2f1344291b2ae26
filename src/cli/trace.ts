import type { HostEvent } from '../supervisor/host.js';
import { deadText, eventLine, exitedText, hostStderrLine, readyText, spawnedText } from './messages.js';

/** What `--verbose` shows of an event. */
export function traceLine(event: HostEvent): string {
  switch (event.type) {
    case 'spawned':
      return eventLine(spawnedText(event.program, event.pid));
    case 'ready':
      return eventLine(readyText(event.version, event.codec, event.capabilities, event.handshakeMs));
    case 'stderr':
      return hostStderrLine(event.line);
    case 'dead':
      return eventLine(deadText(event.error.message));
    case 'exited':
      return eventLine(exitedText(event.pid, event.status));
  }
}
