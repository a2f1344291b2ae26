#!/usr/bin/env node
// Does nothing wrong: what every other fixture deviates from.
import { serve } from './support/v1.mjs';

serve();
