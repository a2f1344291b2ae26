// Answers initialize, but never tools/list.
import { serve } from './support/serve.mjs';

serve([], { 'tools/list': () => undefined });
