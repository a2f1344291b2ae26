#!/usr/bin/env node
// Greets people on stdout before it speaks the protocol.
import { serve } from './support/v1.mjs';

console.log('my-host v1 ready');
serve();
