#!/usr/bin/env node
// Behaves, with a helper process that ignores SIGTERM and would stay.
import { spawn } from 'node:child_process';
import { serve } from './support/v1.mjs';

spawn('/bin/sh', ['-c', 'trap "" TERM INT HUP; sleep 15'], { stdio: 'ignore' });
serve();
