#!/usr/bin/env node
// Dies as an engine does that finds itself broken.
import { writeSync } from 'node:fs';

writeSync(2, 'fatal: heap is corrupt\n');
process.kill(process.pid, 'SIGABRT');
