#!/usr/bin/env node
// Never starts the cell it is given.
import { serve } from './support/v1.mjs';

serve({ 'session/execute': () => {} });
