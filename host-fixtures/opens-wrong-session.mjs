#!/usr/bin/env node
// Confirms another session than it was asked for.
import { answer, send, serve } from './support/v1.mjs';

serve({ 'session/open': (message) => send(answer(message, { type: 'session/ready', sessionId: 'other' })) });
