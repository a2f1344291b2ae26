// Has a child that holds its pipes and does not end; `exit` leaves it behind.
import { spawn } from 'node:child_process';
import { serve, text } from './support/serve.mjs';

const child = spawn(process.execPath, ['-e', 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)'], {
  stdio: 'inherit',
});
serve(['pid', 'exit'], {
  'tools/call': ({ name }) => {
    if (name === 'exit') process.exit(5);
    return text(child.pid);
  },
});
