#!/usr/bin/env node
// Leaves a child in a session of its own, which no signal to the group reaches, and ends in a cell.
import { spawn } from 'node:child_process';
import { serve } from './support/v1.mjs';

spawn('sleep', ['15'], { stdio: 'inherit', detached: true }).unref();
serve({ 'session/execute': () => process.exit(4) });
