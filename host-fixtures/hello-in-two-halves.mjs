#!/usr/bin/env node
// Behaves, but the second half of its hello comes late, and with more frames behind it.
import { setTimeout as sleep } from 'node:timers/promises';
import { frames, ready, serve, write } from './support/v1.mjs';

const noise = [1, 2, 3].map((id) => ({ type: 'delegate/cancel', id }));
serve({
  'connection/hello': async () => {
    await write(frames(ready()).subarray(0, 30));
    await sleep(50);
    await write(frames(ready(), ...noise).subarray(30));
  },
});
