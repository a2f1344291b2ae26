#!/usr/bin/env node
// Sends a frame that cannot be read, and ends with 6: two failures at once.
import { serve, write } from './support/v1.mjs';

serve({
  'session/open': async () => {
    await write(Buffer.from([2, 0, 0, 0, 0x7b, 0x7b]));
    process.exit(6);
  },
});
