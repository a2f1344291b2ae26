#!/usr/bin/env node
// Never answers, and does not let itself be asked to end.
import './support/v1.mjs';

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => {});
process.stdin.resume();
