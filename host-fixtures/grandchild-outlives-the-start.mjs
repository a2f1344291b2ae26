#!/usr/bin/env node
// Ends before the hello, but leaves a child that holds all its pipes.
import { spawn } from 'node:child_process';

spawn('sleep', ['15'], { stdio: 'inherit' });
process.exit(7);
