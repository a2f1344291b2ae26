#!/usr/bin/env node
// Writes 20 MB to stderr, all of it one line, before it answers.
import { writeSync } from 'node:fs';
import { serve } from './support/v1.mjs';

const dots = Buffer.alloc(65_536, '.');
for (let written = 0; written < 20_000_000; ) written += writeSync(2, dots);
serve();
