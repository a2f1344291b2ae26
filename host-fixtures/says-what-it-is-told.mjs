#!/usr/bin/env node
// Keeps its cells running and is silent about them; sends, or does, whatever the source of a cell tells it to.
import { closeSync } from 'node:fs';
import { closed, initial, opened, send, serve, started, write, yielded } from './support/v1.mjs';

const acts = { exit: (code) => process.exit(code), kill: (signal) => process.kill(process.pid, signal), closeSync };
const act = (part) => Object.entries(part).map(([name, value]) => acts[name](value));
const say = (part) => (typeof part === 'string' ? write(Buffer.from(part, 'hex')) : part.type ? send(part) : act(part));
let cells = 0;
serve({
  'session/open': (message) => message.request.sessionId !== 'session-4' && send(opened(message)),
  'session/terminate': () => {},
  'session/shutdown': (message) => message.request.sessionId !== 'session-3' && send(closed(message)),
  'session/execute': async (message) => {
    const { source } = message.request.request;
    for (const part of JSON.parse(source || '[]')) await say(part);
    if (source === '') cells += 1;
    if (source === '') await send(started(message, `${cells}`), initial(message, yielded(`${cells}`)));
  },
});
