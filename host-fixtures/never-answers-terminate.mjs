#!/usr/bin/env node
// Starts a cell, is silent about it, and does not end it either.
import { initial, send, serve, started, yielded } from './support/v1.mjs';

serve({
  'session/execute': (message) => send(started(message), initial(message, yielded())),
  'session/terminate': () => {},
});
