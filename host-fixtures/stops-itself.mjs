#!/usr/bin/env node
// Stops before the hello: alive, but deaf to everything but SIGKILL, and to its own watchdog.

process.kill(process.pid, 'SIGSTOP');
