#!/usr/bin/env node
// Announces 100 bytes of hello, writes 9, and ends.
import { write } from './support/v1.mjs';

await write(Buffer.concat([Buffer.from([100, 0, 0, 0]), Buffer.from('{"type":"')]));
process.exit(3);
