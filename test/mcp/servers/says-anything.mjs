// `say` writes a line as it is given, with its own id for ID, and answers if it is asked to.
import { serve, text } from './support/serve.mjs';

serve(['say'], {
  'tools/call': ({ arguments: { line = '{}', answer = true } }, id) => {
    process.stdout.write(`${line.replace('ID', id)}\n`);
    return answer ? text('said') : undefined;
  },
});
