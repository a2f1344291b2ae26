#!/usr/bin/env node
// Behaves, but closes a cell before its result.
import { finished, send, serve, started } from './support/v1.mjs';

serve({ 'session/execute': (message) => send(started(message), ...finished(message).reverse()) });
