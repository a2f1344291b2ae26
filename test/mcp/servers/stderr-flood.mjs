// Writes megabytes to its stderr before and during everything.
import { writeSync } from 'node:fs';
import { serve, text } from './support/serve.mjs';

const flood = () => {
  const line = `${'noise '.repeat(100)}\n`;
  for (let count = 0; count < 5_000; count += 1) writeSync(2, line);
};
flood();
serve(['work'], {
  'tools/call': () => {
    flood();
    return text('worked');
  },
});
