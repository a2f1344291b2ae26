#!/usr/bin/env node
// Ends with 3 while a cell runs, and says why.
import { send, serve, started } from './support/v1.mjs';

serve({
  'session/execute': async (message) => {
    console.error('the cell was too much for me');
    await send(started(message));
    process.exit(3);
  },
});
