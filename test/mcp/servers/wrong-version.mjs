// Speaks a version that nobody knows.
import { initialized, serve } from './support/serve.mjs';

serve([], { initialize: () => ({ ...initialized, protocolVersion: '1999-01-01' }) });
