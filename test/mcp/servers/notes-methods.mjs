// Never answers; writes the methods it is sent into a file.
import { appendFileSync } from 'node:fs';
import { serve } from './support/serve.mjs';

const note = (name) => () => appendFileSync(process.argv[2], `${name}\n`);
serve([], { initialize: note('initialize'), 'notifications/cancelled': note('notifications/cancelled') });
