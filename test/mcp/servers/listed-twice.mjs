// Lists a tool twice, one without a name, and one with a schema that is none.
import { serve } from './support/serve.mjs';

const outputSchema = { type: 'object', properties: { n: { type: 'number' } } };
serve([], {
  'tools/list': () => ({
    tools: [
      { name: 'one', description: 'first', inputSchema: { type: 'object', required: ['a'] }, outputSchema },
      { name: 'one', description: 'second', inputSchema: { type: 'object' } },
      { description: 'nameless' },
      { name: 'odd', inputSchema: 'none', title: 'Odd' },
    ],
  }),
});
