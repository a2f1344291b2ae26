#!/usr/bin/env node
// Sends the first result of a cell before it says that the cell has started.
import { initial, result, send, serve, started } from './support/v1.mjs';

serve({ 'session/execute': (message) => send(initial(message, result('early')), started(message)) });
