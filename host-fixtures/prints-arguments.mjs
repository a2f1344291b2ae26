#!/usr/bin/env node
// Writes its arguments to stderr; behaves otherwise.
import { serve } from './support/v1.mjs';

console.error(`arguments: ${JSON.stringify(process.argv.slice(2))}`);
serve();
