#!/usr/bin/env node
// Dies of SIGKILL before it has said anything, as after an out-of-memory kill.

process.kill(process.pid, 'SIGKILL');
