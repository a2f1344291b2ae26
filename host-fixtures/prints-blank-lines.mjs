#!/usr/bin/env node
// Writes line ends to stdout first: as a length they are 168,430,090.
import { serve, write } from './support/v1.mjs';

await write('\n\n\n\n');
serve();
