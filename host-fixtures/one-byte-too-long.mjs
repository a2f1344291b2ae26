#!/usr/bin/env node
// Announces a frame of 64 MiB and one byte.
import { serve, write } from './support/v1.mjs';

serve({ 'session/open': () => write(Buffer.from([1, 0, 0, 4])) });
