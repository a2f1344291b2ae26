#!/usr/bin/env node
// Ends after two bytes of the first length.
import { write } from './support/v1.mjs';

await write(Buffer.from([7, 0]));
process.exit(0);
