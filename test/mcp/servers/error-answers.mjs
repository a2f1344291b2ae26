// Answers in ways that are errors, or no answers.
import { send, serve, text } from './support/serve.mjs';

serve(['refuse', 'fail', 'nothing', 'null', 'bare', 'twice'], {
  'tools/call': ({ name }, id) => {
    if (name === 'refuse') return void send({ id, error: { code: -32602, message: 'bad arguments' } });
    if (name === 'fail') return { ...text('it failed'), isError: true };
    if (name === 'nothing') return void send({ id });
    if (name === 'null') return void send({ id, result: null });
    if (name === 'bare') return { toolResult: 1 };
    send({ id, result: text('first') });
    send({ id: 99_999, result: text('for nobody') });
    return text('second');
  },
});
