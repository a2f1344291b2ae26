#!/usr/bin/env node
// Sends the first result of another cell.
import { initial, result, send, serve, started } from './support/v1.mjs';

serve({ 'session/execute': (message) => send(started(message), initial(message, result('whose?', 'zzz'))) });
