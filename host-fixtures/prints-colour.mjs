#!/usr/bin/env node
// Sets the colour of a terminal on stdout first.
import { serve, write } from './support/v1.mjs';

await write('\x1b[32mready\x1b[0m\n');
serve();
