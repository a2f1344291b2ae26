#!/usr/bin/env node
// Answers the hello with a frame of no bytes.
import { serve, write } from './support/v1.mjs';

serve({ 'connection/hello': () => write(Buffer.alloc(4)) });
