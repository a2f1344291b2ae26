#!/usr/bin/env node
import { createRequire } from 'node:module';

// Required, not imported: Node 20 would search the whole bundle for its exports first, which takes longer than to run it.
createRequire(import.meta.url)('../dist/cli.cjs');
