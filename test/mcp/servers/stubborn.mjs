// Does not end with its stdin, nor with SIGTERM.
import { serve } from './support/serve.mjs';

process.on('SIGTERM', () => {});
setInterval(() => {}, 1_000);
serve(['work']);
