#!/usr/bin/env node
// Answers the hello once more, much later.
import { ready, send, serve } from './support/v1.mjs';

serve({ 'session/open': () => send(ready()) });
