#!/usr/bin/env node
import { createRequire } from 'node:module';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`codemode-run needs Node 20.19 or newer, this is ${process.versions.node}\n`);
  process.exit(2);
}

// Required, not imported: Node 20 would search the whole bundle for its exports first, which takes longer than to run it.
createRequire(import.meta.url)('../dist/cli.cjs');
