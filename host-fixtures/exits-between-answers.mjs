#!/usr/bin/env node
// Ends with 3 behind the first answer of a running cell, when no request waits for it.
import { initial, send, serve, started, yielded } from './support/v1.mjs';

serve({
  'session/execute': async (message) => {
    await send(started(message), initial(message, yielded()));
    process.exit(3);
  },
});
