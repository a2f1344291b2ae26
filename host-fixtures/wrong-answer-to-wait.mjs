#!/usr/bin/env node
// Answers a wait as if it were an open.
import { initial, opened, send, serve, started, yielded } from './support/v1.mjs';

serve({
  'session/execute': (message) => send(started(message), initial(message, yielded())),
  'session/wait': (message) => send(opened(message)),
});
