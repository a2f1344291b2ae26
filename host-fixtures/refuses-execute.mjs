#!/usr/bin/env node
// Refuses to run a cell, in words.
import { refuse, send, serve } from './support/v1.mjs';

serve({ 'session/execute': (message) => send(refuse(message, 'no cells on Sundays')) });
