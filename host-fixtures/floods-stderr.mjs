#!/usr/bin/env node
// Writes 20 MB of lines to stderr before it answers; waits like any program for them to be read.
import { writeSync } from 'node:fs';
import { serve } from './support/v1.mjs';

const lines = Buffer.from('a line that says little\n'.repeat(4_096));
for (let written = 0; written < 20_000_000; ) written += writeSync(2, lines);
serve();
