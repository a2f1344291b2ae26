#!/usr/bin/env node
// Never opens the session it is asked for.
import { serve } from './support/v1.mjs';

serve({ 'session/open': () => {} });
