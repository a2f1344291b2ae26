#!/usr/bin/env node
// Closes a cell that never was.
import { cellClosed, send, serve, started } from './support/v1.mjs';

serve({ 'session/execute': (message) => send(started(message), cellClosed(message, 'ghost')) });
