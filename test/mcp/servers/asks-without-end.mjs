// Asks whether we are there, again and again, and does not read the answers.
import { send, serve } from './support/serve.mjs';

serve(['work'], {
  'tools/call': () => {
    process.stdin.pause();
    const ask = () => {
      while (send({ id: 'x'.repeat(200), method: 'ping' }));
      process.stdout.once('drain', ask);
    };
    ask();
  },
});
