#!/usr/bin/env node
// Writes bytes to stderr that are no text.
import { writeSync } from 'node:fs';
import { serve } from './support/v1.mjs';

writeSync(2, Buffer.from([0x6f, 0x68, 0xff, 0xfe, 0xc3, 0x0a]));
serve();
