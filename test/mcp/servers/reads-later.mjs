// Answers `pause` with its pid, and does not read on before SIGUSR2. `seen` lists what came.
import { serve, text } from './support/serve.mjs';

const seen = [];
process.on('SIGUSR2', () => process.stdin.resume());
const hold = setInterval(() => {}, 1_000);
process.stdin.on('end', () => clearInterval(hold));
serve(['pause', 'work', 'seen'], {
  'tools/call': ({ name }) => {
    seen.push(name);
    if (name === 'seen') return text(seen.join());
    if (name === 'pause') process.stdin.pause();
    return text(process.pid);
  },
  'notifications/cancelled': () => seen.push('cancelled'),
});
