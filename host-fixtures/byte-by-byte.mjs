#!/usr/bin/env node
// Behaves, but writes each byte apart.
import { writeSync } from 'node:fs';
import { cellClosed, frames, initial, opened, ready, result, serve, started } from './support/v1.mjs';

const trickle = (...messages) => {
  for (const byte of frames(...messages)) writeSync(1, Buffer.of(byte));
};
serve({
  'connection/hello': () => trickle(ready()),
  'session/open': (message) => trickle(opened(message)),
  'session/execute': (message) => trickle(started(message), initial(message, result('é 🦀')), cellClosed(message)),
});
