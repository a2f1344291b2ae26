#!/usr/bin/env node
// Finds the hello itself wrong.
import { send, serve } from './support/v1.mjs';

const reason = { type: 'invalidHello', message: 'bad "hello"' };
serve({ 'connection/hello': () => send({ type: 'connection/rejected', reason }) });
