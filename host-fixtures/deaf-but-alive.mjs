#!/usr/bin/env node
// Sends nonsense, and stays whatever happens to its pipes.
import { serve, write } from './support/v1.mjs';

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGPIPE']) process.on(signal, () => {});
process.stdout.on('error', () => {});
serve({ 'session/open': () => write('nonsense') });
process.stdin.removeAllListeners('end');
