#!/usr/bin/env node
// Calls a tool, and ends with 5 before the tool can answer.
import { send, serve, started, toolCall } from './support/v1.mjs';

serve({
  'session/execute': async (message) => {
    await send(started(message), toolCall(message));
    process.exit(5);
  },
});
