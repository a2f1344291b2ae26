#!/usr/bin/env node
// Announces a hello of one byte more than 64 KiB.
import { serve, write } from './support/v1.mjs';

serve({ 'connection/hello': () => write(Buffer.from([1, 0, 1, 0])) });
