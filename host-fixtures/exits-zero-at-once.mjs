#!/usr/bin/env node
// Ends before it has said anything, as if all were well.

process.exit(0);
