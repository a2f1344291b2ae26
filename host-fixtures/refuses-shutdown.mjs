#!/usr/bin/env node
// Behaves until the end, and then refuses to close the session.
import { refuse, send, serve } from './support/v1.mjs';

serve({ 'session/shutdown': (message) => send(refuse(message, 'one more minute')) });
