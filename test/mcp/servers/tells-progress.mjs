// Tells how far a call is, in its log too, and notes which calls were taken back.
import { send, serve, text } from './support/serve.mjs';

const cancelled = [];
serve(['work', 'wait', 'cancelled'], {
  'tools/call': ({ name, _meta }) => {
    if (name === 'wait')
      return void send({ method: 'notifications/message', params: { level: 'info', data: 'waiting' } });
    if (name === 'cancelled') return text(JSON.stringify(cancelled));
    const { progressToken } = _meta ?? {};
    for (const progress of [1, 2]) {
      send({
        method: 'notifications/progress',
        params: { progressToken, progress, total: 2, message: `step ${progress}` },
      });
    }
    send({ method: 'notifications/progress', params: { progressToken, progress: 'much' } });
    send({ method: 'notifications/progress', params: { progressToken: 'nobody', progress: 1 } });
    send({ method: 'notifications/message', params: { level: 'warning', logger: 'db', data: { slow: true } } });
    return text(progressToken === undefined ? 'no token' : 'token');
  },
  'notifications/cancelled': (params) => cancelled.push(params),
});
