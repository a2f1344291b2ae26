#!/usr/bin/env node
// Dies of SIGKILL while a cell runs.
import { send, serve, started } from './support/v1.mjs';

serve({
  'session/execute': async (message) => {
    await send(started(message));
    process.kill(process.pid, 'SIGKILL');
  },
});
