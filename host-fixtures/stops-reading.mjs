#!/usr/bin/env node
// Behaves until a session is open, and then never reads again.
import { opened, send, serve } from './support/v1.mjs';

serve({
  'session/open': (message) => {
    process.stdin.removeAllListeners('end').pause();
    return send(opened(message));
  },
});
