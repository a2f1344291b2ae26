// A healthy server: `echo` gives its input back, `ask` asks us for something first, `env` shows the environment.
import { initialized, send, serve, text } from './support/serve.mjs';

let waiting;
const call = {
  echo: ({ arguments: input }) => ({ ...text(JSON.stringify(input)), structuredContent: input, extra: 1 }),
  env: () => text(JSON.stringify({ ...process.env, cwd: process.cwd(), pid: process.pid })),
  ask: ({ arguments: { method } }) => {
    send({ id: 'mine', method });
    return new Promise((resolve) => {
      waiting = (answer) => resolve(text(JSON.stringify(answer)));
    });
  },
};
serve(['echo', 'env', 'ask'], {
  initialize: () => ({ ...initialized, instructions: 'Say something.' }),
  'tools/call': (params) => call[params.name](params),
  answer: (_params, message) => waiting(message),
});
