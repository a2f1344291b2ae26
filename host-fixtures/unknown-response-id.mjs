#!/usr/bin/env node
// Answers a request that nobody made.
import { opened, send, serve } from './support/v1.mjs';

serve({ 'session/open': (message) => send(opened({ ...message, id: 4242 })) });
