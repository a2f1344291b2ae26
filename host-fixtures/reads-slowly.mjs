#!/usr/bin/env node
// Calls a tool 200 times at once in its first cell, and reads what comes by 64 KiB a turn; says how much was right.
import { finished, send, serve, started, toolCall } from './support/v1.mjs';

const right = (id) => `${id}`.padEnd(256 * 1024, '.');
let first;
let seen = 0;
serve({
  'session/execute': (message) => {
    if (first !== undefined) return send(started(message, '2'), ...finished(message, 'other', '2'));
    first = message;
    return send(started(message), ...Array.from({ length: 200 }, (_, at) => toolCall(message, '1', at + 1)));
  },
  'delegate/response': ({ id, result }) => {
    if (result.value.result === right(id)) seen += 1;
    return id === 200 && send(...finished(first, `${seen} whole answers, ${id} the last`));
  },
});
process.stdin.on('data', () => setTimeout(() => process.stdin.resume(), 1) && process.stdin.pause());
