#!/usr/bin/env node
// Behaves until the end, and then never closes the session.
import { serve } from './support/v1.mjs';

serve({ 'session/shutdown': () => {} });
