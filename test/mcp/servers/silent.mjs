// Reads, and never answers.
import { serve } from './support/serve.mjs';

console.error('waiting for a licence server');
serve([], { initialize: () => undefined });
