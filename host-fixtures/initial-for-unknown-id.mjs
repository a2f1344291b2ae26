#!/usr/bin/env node
// Sends a first result for a request that nobody made.
import { initial, result, send, serve, started } from './support/v1.mjs';

serve({ 'session/execute': (message) => send(started(message), initial({ id: 777 }, result('lost'))) });
