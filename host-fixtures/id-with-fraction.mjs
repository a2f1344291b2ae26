#!/usr/bin/env node
// Answers with an id that is not a whole number.
import { opened, send, serve } from './support/v1.mjs';

serve({ 'session/open': (message) => send(opened({ ...message, id: 2.5 })) });
