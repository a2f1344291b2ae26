// `wait` never answers; `exit` and `kill` end the server.
import { serve } from './support/serve.mjs';

serve(['wait', 'exit', 'kill'], {
  'tools/call': ({ name }) => {
    if (name === 'wait') return undefined;
    console.error(`about to ${name}`);
    if (name === 'exit') process.exit(7);
    process.kill(process.pid, 'SIGKILL');
  },
});
