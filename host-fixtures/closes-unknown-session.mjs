#!/usr/bin/env node
// Closes a cell of a session that never was.
import { send, serve, started } from './support/v1.mjs';

const ghost = { type: 'cell/closed', sessionId: 'nosuch', cellId: '1' };
serve({ 'session/execute': (message) => send(started(message), ghost) });
