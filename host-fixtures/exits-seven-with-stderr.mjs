#!/usr/bin/env node
// Gives its reasons on stderr and gives up.

console.error('cannot open the database');
console.error('  no such file: cells.db');
console.error('giving up');
process.exitCode = 7;
