#!/usr/bin/env node
// Ends in the middle of an answer.
import { frames, opened, serve, write } from './support/v1.mjs';

serve({
  'session/open': async (message) => {
    await write(frames(opened(message)).subarray(0, 24));
    process.exit(0);
  },
});
