// Says why on stderr, and exits with 3.
console.log('starting');
console.error('first line\nError: no database\n    at open (db.js:1:2)');
process.exitCode = 3;
