#!/usr/bin/env node
// Writes the names of its environment to stderr; behaves otherwise.
import { serve } from './support/v1.mjs';

console.error(`environment: ${Object.keys(process.env).sort().join(' ')}`);
serve();
