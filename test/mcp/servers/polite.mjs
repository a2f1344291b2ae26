// Cleans up when its stdin ends: writes a file, and exits.
import { writeFileSync } from 'node:fs';
import { serve } from './support/serve.mjs';

process.stdin.on('end', () => writeFileSync(process.argv[2], 'cleaned up'));
serve(['work']);
