#!/usr/bin/env node
// Ends with 7 as soon as it sees the beginning of a long request.
import { opened, send, serve } from './support/v1.mjs';

serve({
  'session/open': async (message) => {
    await send(opened(message));
    process.stdin.removeAllListeners('data').once('data', () => process.exit(7));
  },
});
