#!/usr/bin/env node
// Takes the hello and never answers.
import { endWithInput } from './support/v1.mjs';

endWithInput();
