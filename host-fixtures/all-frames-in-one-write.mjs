#!/usr/bin/env node
// Behaves, and writes a thousand frames at once, with the answers at the end.
import { finished, ready, send, serve, started } from './support/v1.mjs';

const noise = Array.from({ length: 1_000 }, (_, id) => ({ type: 'delegate/cancel', id }));
serve({
  'connection/hello': () => send(ready(), ...noise),
  'session/execute': (message) => send(started(message), ...noise, ...finished(message)),
});
