// Greets on stdout before it speaks MCP, and logs there between its messages.
import { serve, text } from './support/serve.mjs';

console.log('my-server v1 is ready\n\n{"not": "rpc"}');
serve(['work'], {
  'tools/call': () => {
    console.log('[debug] {working');
    return text('worked');
  },
});
