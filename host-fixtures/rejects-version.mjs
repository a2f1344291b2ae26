#!/usr/bin/env node
// Speaks only versions that we do not.
import { send, serve } from './support/v1.mjs';

const reason = { type: 'noCompatibleVersion', supportedVersions: [2, 9] };
serve({ 'connection/hello': () => send({ type: 'connection/rejected', reason }) });
