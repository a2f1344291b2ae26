#!/usr/bin/env node
// Starts a cell, and answers it with an error of its own.
import { send, serve, started } from './support/v1.mjs';

const result = { status: 'error', message: 'the cell fell off' };
serve({
  'session/execute': (message) => send(started(message), { type: 'execute/initialResponse', id: message.id, result }),
});
