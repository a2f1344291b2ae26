#!/usr/bin/env node
// Rejects the hello after it has accepted it.
import { send, serve } from './support/v1.mjs';

const reason = { type: 'invalidHello', message: 'second thoughts' };
serve({ 'session/open': () => send({ type: 'connection/rejected', reason }) });
