#!/usr/bin/env node
// Answers one request twice.
import { opened, send, serve } from './support/v1.mjs';

serve({ 'session/open': (message) => send(opened(message), opened(message)) });
