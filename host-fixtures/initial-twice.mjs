#!/usr/bin/env node
// Sends the first answer of a running cell twice.
import { initial, send, serve, started, yielded } from './support/v1.mjs';

serve({
  'session/execute': (message) => send(started(message), initial(message, yielded()), initial(message, yielded())),
});
