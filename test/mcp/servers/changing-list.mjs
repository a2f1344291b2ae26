// `add` adds a tool and says so; `break` says so and then fails to list, `same` changes nothing.
import { send, serve, text } from './support/serve.mjs';

const names = ['add', 'break', 'same'];
let broken = false;
serve([], {
  'tools/list': (_params, id) => {
    if (broken) return void send({ id, error: { code: -32603, message: 'no list today' } });
    return { tools: names.map((name) => ({ name, inputSchema: { type: 'object' } })) };
  },
  'tools/call': ({ name }) => {
    if (name === 'add') names.push(`added${names.length}`);
    if (name === 'break') broken = true;
    send({ method: 'notifications/tools/list_changed' });
    return text('ok');
  },
});
