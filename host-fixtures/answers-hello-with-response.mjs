#!/usr/bin/env node
// Answers the hello with a message that belongs elsewhere.
import { answer, send, serve } from './support/v1.mjs';

const value = { type: 'session/ready', sessionId: 'x' };
serve({ 'connection/hello': () => send(answer({ id: 1 }, value)) });
