#!/usr/bin/env node
// Behaves, with a result that takes a frame of exactly 64 MiB.
import { cellClosed, frames, initial, result, send, serve, started } from './support/v1.mjs';

serve({
  'session/execute': async (message) => {
    const room = 4 + 64 * 1024 * 1024 - frames(initial(message, result(''))).length;
    await send(started(message), initial(message, result('x'.repeat(room))), cellClosed(message));
  },
});
