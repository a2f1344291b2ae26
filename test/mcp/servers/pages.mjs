// Lists its tools in three pages, one without an end if it is asked to.
import { serve } from './support/serve.mjs';

const endless = process.argv[2] === 'endless';
const many = process.argv[2] === 'many';
serve([], {
  'tools/list': ({ cursor = '0' }) => {
    const page = Number(cursor);
    const names = many ? Array.from({ length: 1_000 }, (_, index) => `t${page}-${index}`) : [`t${page}`];
    const tools = endless
      ? []
      : names.map((name) => ({ name, title: `Tool ${name}`, inputSchema: { type: 'object' } }));
    return { tools, ...(page < 2 || endless || many ? { nextCursor: String(page + 1) } : {}) };
  },
});
