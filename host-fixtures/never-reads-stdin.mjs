#!/usr/bin/env node
// Accepts a hello that it has not read, and never reads anything.
import { ready, send } from './support/v1.mjs';

await send(ready());
