#!/usr/bin/env node
// Behaves: calls a tool before the answer that starts the cell, as two lanes may have it.
import { finished, send, serve, started, toolCall } from './support/v1.mjs';

let execute;
serve({
  'session/execute': (message) => {
    execute = message;
    return send(toolCall(message), started(message));
  },
  'delegate/response': ({ result }) => send(...finished(execute, `answer: ${JSON.stringify(result)}`)),
});
