#!/usr/bin/env node
// Ends every cell, for reasons of its own.
import { cellClosed, initial, send, serve, started, terminated } from './support/v1.mjs';

serve({
  'session/execute': (message) => send(started(message), initial(message, terminated()), cellClosed(message)),
});
