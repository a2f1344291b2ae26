// Answers the beginning, and then does not read its stdin any more.
import { serve } from './support/serve.mjs';

serve(['work'], {
  'tools/call': () => {
    process.stdin.pause();
    setInterval(() => {}, 1_000);
  },
});
