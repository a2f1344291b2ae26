// Writes half of an answer, and exits with 0.
import { writeSync } from 'node:fs';
import { serve } from './support/serve.mjs';

serve(['work'], {
  'tools/call': (_params, id) => {
    writeSync(1, `{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","te`);
    process.exit(0);
  },
});
