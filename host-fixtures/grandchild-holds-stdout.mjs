#!/usr/bin/env node
// Ends in a cell, but leaves a child that holds its stdout open.
import { spawn } from 'node:child_process';
import { serve } from './support/v1.mjs';

spawn('sleep', ['15'], { stdio: ['ignore', 'inherit', 'inherit'] });
serve({ 'session/execute': () => process.exit(4) });
