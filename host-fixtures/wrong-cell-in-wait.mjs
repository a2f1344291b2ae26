#!/usr/bin/env node
// Answers a wait with another cell.
import { initial, observed, send, serve, started, yielded } from './support/v1.mjs';

serve({
  'session/execute': (message) => send(started(message), initial(message, yielded())),
  'session/wait': (message) => send(observed(message, yielded('other'))),
});
