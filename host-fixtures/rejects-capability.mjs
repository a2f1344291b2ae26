#!/usr/bin/env node
// Demands a capability that we do not have.
import { send, serve } from './support/v1.mjs';

const reason = { type: 'missingRequiredCapability', capability: 'time-travel-v1' };
serve({ 'connection/hello': () => send({ type: 'connection/rejected', reason }) });
