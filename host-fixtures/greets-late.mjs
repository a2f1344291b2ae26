#!/usr/bin/env node
// Needs a second before it can answer the hello, and then behaves.
import { setTimeout as sleep } from 'node:timers/promises';
import { serve } from './support/v1.mjs';

await sleep(1_000);
serve();
