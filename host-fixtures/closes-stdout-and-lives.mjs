#!/usr/bin/env node
// Closes its stdout instead of answering the hello, and goes on living.
import { closeSync } from 'node:fs';
import { endWithInput } from './support/v1.mjs';

closeSync(1);
endWithInput();
