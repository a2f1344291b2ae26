#!/usr/bin/env node
// Ends with 0 when it is asked for a session.
import { serve } from './support/v1.mjs';

serve({ 'session/open': () => process.exit(0) });
