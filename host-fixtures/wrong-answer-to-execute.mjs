#!/usr/bin/env node
// Answers an execute as if it were an open.
import { opened, send, serve } from './support/v1.mjs';

serve({ 'session/execute': (message) => send(opened(message)) });
