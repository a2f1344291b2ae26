#!/usr/bin/env node
// Answers an open as if it were an execute.
import { send, serve, started } from './support/v1.mjs';

serve({ 'session/open': (message) => send(started(message)) });
