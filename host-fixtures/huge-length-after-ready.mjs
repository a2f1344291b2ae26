#!/usr/bin/env node
// Announces a frame of 2 GiB.
import { serve, write } from './support/v1.mjs';

serve({ 'session/open': () => write(Buffer.from([0, 0, 0, 0x80])) });
