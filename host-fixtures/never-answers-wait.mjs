#!/usr/bin/env node
// Starts a cell, and is silent about it from then on; can be told to end it.
import { initial, send, serve, started, yielded } from './support/v1.mjs';

serve({ 'session/execute': (message) => send(started(message), initial(message, yielded())) });
