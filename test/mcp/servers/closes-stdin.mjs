// Closes its stdin during a call, answers it, and lives on.
import { closeSync } from 'node:fs';
import { serve, text } from './support/serve.mjs';

setInterval(() => {}, 1_000);
serve(['hang-up'], {
  'tools/call': () => {
    process.stdin.destroy();
    closeSync(0);
    return text('done');
  },
});
