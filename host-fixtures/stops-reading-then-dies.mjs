#!/usr/bin/env node
// Stops reading, and is killed while the client still writes.
import { opened, send, serve } from './support/v1.mjs';

serve({
  'session/open': async (message) => {
    process.stdin.pause();
    await send(opened(message));
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), 300);
  },
});
