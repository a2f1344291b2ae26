#!/usr/bin/env node
// Sends a frame of no bytes, and behind it a good one.
import { frames, opened, serve, write } from './support/v1.mjs';

serve({ 'session/open': (message) => write(Buffer.concat([Buffer.alloc(4), frames(opened(message))])) });
