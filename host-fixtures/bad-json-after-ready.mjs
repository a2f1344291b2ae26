#!/usr/bin/env node
// Answers a request with a frame that is not JSON.
import { serve, write } from './support/v1.mjs';

const body = '{operation: 1}';
serve({ 'session/open': () => write(Buffer.concat([Buffer.from([body.length, 0, 0, 0]), Buffer.from(body)])) });
