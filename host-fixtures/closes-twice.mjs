#!/usr/bin/env node
// Closes one cell twice, before its result.
import { cellClosed, send, serve, started } from './support/v1.mjs';

serve({ 'session/execute': (message) => send(started(message), cellClosed(message), cellClosed(message)) });
