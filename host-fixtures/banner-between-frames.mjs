#!/usr/bin/env node
// Logs to stdout between two frames.
import { frames, opened, serve, write } from './support/v1.mjs';

serve({ 'session/open': (message) => write(`[WebSocket] Closed\n${frames(opened(message))}`) });
