#!/usr/bin/env node
// Calls a tool 10,000 times in one cell, and says how many of the calls were refused, and how.
import { finished, send, serve, started, toolCall } from './support/v1.mjs';

let execute;
const refused = [];
serve({
  'session/execute': async (message) => {
    execute = message;
    await send(started(message));
    for (let id = 1; id <= 10_000; id += 1) await send(toolCall(message, '1', id));
  },
  'delegate/response': ({ result }) => {
    refused.push(result.message);
    if (refused.length < 10_000 - 1_024) return undefined;
    return send(...finished(execute, `${refused.length} refused: ${[...new Set(refused)].join(', ')}`));
  },
});
