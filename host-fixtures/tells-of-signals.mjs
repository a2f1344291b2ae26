#!/usr/bin/env node
// Behaves, and writes every signal that it gets to stderr.
import { writeSync } from 'node:fs';
import { serve } from './support/v1.mjs';

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => writeSync(2, `got ${signal}\n`));
serve();
