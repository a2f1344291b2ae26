#!/usr/bin/env node
// Sends a message of a type that does not exist.
import { send, serve } from './support/v1.mjs';

serve({ 'session/open': () => send({ type: 'future/thing' }) });
