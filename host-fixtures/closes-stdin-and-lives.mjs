#!/usr/bin/env node
// Closes its stdin once a session is open, and goes on living.
import { closeSync } from 'node:fs';
import { opened, send, serve } from './support/v1.mjs';

serve({
  'session/open': (message) => {
    // Node itself lets the descriptor be: what it opened is closed first, then the descriptor.
    process.stdin.removeAllListeners('end').once('close', async () => {
      closeSync(0);
      await send(opened(message));
    });
    process.stdin.destroy();
  },
});
