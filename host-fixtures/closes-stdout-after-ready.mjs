#!/usr/bin/env node
// Closes its stdout while a request waits, and goes on living.
import { closeSync } from 'node:fs';
import { serve } from './support/v1.mjs';

serve({ 'session/open': () => closeSync(1) });
