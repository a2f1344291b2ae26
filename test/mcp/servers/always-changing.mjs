// Says that its list has changed whenever it is asked for it.
import { send, serve, text } from './support/serve.mjs';

let lists = 0;
serve([], {
  'tools/list': () => {
    lists += 1;
    send({ method: 'notifications/tools/list_changed' });
    return { tools: ['work', `list${lists}`].map((name) => ({ name, inputSchema: { type: 'object' } })) };
  },
  'tools/call': () => text('worked'),
});
