#!/usr/bin/env node
// Gives a new cell the id of one that was never closed.
import { initial, result, send, serve, started } from './support/v1.mjs';

serve({ 'session/execute': (message) => send(started(message), initial(message, result('done'))) });
