#!/usr/bin/env node
// Calls a tool for a cell that never was, and shows the answer.
import { finished, send, serve, started, toolCall } from './support/v1.mjs';

let execute;
serve({
  'session/execute': (message) => {
    execute = message;
    return send(started(message), toolCall(message, 'ghost'));
  },
  'delegate/response': ({ result }) => send(...finished(execute, result.message)),
});
