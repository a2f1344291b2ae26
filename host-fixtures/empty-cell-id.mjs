#!/usr/bin/env node
// Behaves, with a cell id of no letters.
import { finished, send, serve, started } from './support/v1.mjs';

serve({ 'session/execute': (message) => send(started(message, ''), ...finished(message, 'done', '')) });
