// Closes its stdout during a call, and lives on.
import { closeSync } from 'node:fs';
import { serve } from './support/serve.mjs';

setInterval(() => {}, 1_000);
serve(['hang-up'], { 'tools/call': () => closeSync(1) });
