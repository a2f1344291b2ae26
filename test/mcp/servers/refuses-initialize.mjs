// Answers initialize with an error.
import { send, serve } from './support/serve.mjs';

serve([], { initialize: (_params, id) => void send({ id, error: { code: -32000, message: 'no licence' } }) });
