import type { WebSocket } from 'ws';
import { startTimer } from '../../waiting/timer.js';
import { MISSED_PONGS, PING_INTERVAL_MS } from '../wire/limits.js';
import { noPong } from './messages.js';

/**
 * Keeps a WebSocket alive, and notices when the other side is gone without a word. Any message counts as a sign of life.
 * `lost` is called once, with the words for it.
 */
export function keepAlive(socket: WebSocket, lost: (why: string) => void, intervalMs = PING_INTERVAL_MS): () => void {
  let unanswered = 0;
  let stopTimer: () => void = ignore;
  const alive = () => {
    unanswered = 0;
  };
  const tick = () => {
    if (unanswered >= MISSED_PONGS) {
      lost(noPong(unanswered));
      return;
    }
    if (!socket.isPaused) unanswered++; // what we do not read, we cannot see
    socket.ping(ignore);
    stopTimer = startTimer(intervalMs, tick);
  };
  for (const event of ['pong', 'ping', 'message']) socket.on(event, alive);
  stopTimer = startTimer(intervalMs, tick);
  return () => {
    stopTimer();
    for (const event of ['pong', 'ping', 'message']) socket.off(event, alive);
  };
}

const ignore = (): void => undefined;
