#!/usr/bin/env node
// Refuses to open a session, in words.
import { refuse, send, serve } from './support/v1.mjs';

serve({ 'session/open': (message) => send(refuse(message, 'no room for another session')) });
