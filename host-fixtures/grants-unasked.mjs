#!/usr/bin/env node
// A newer host: grants what nobody asked for, and adds fields that nobody knows.
import { opened, ready, send, serve } from './support/v1.mjs';

serve({
  'connection/hello': () => send({ ...ready(['from-the-future-v9']), motto: 'per aspera' }),
  'session/open': (message) => send({ ...opened(message), mood: { good: true } }),
});
