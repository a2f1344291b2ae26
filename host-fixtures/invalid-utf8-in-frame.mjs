#!/usr/bin/env node
// Answers a request with a frame that is not UTF-8.
import { serve, write } from './support/v1.mjs';

serve({ 'session/open': () => write(Buffer.from([4, 0, 0, 0, 0x22, 0xc3, 0x28, 0x22])) });
