#!/usr/bin/env node
// Accepts the hello, and chooses a version that was not offered.
import { ready, send, serve } from './support/v1.mjs';

serve({ 'connection/hello': () => send(ready([], 2)) });
