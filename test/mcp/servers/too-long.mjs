// Answers with a line that is longer than anybody should take.
import { serve } from './support/serve.mjs';

serve(['pour'], {
  'tools/call': () => {
    for (let part = 0; part < 70; part += 1) process.stdout.write('x'.repeat(2 ** 20));
  },
});
