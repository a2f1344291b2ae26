// A default export, and tools that fail or give much.
export default {
  'say-hello': {
    description: 'Says hello.',
    inputSchema: { type: 'object' },
    handler: ({ name }) => `hello ${name}`,
  },
  fail: {
    description: 'Throws.',
    inputSchema: { type: 'object' },
    handler() {
      throw new Error('the disk is full');
    },
  },
  shout: {
    description: 'Takes text as it is.',
    inputSchema: {},
    kind: 'freeform',
    handler: (text) => text.toUpperCase(),
  },
  big: {
    description: 'Returns 32 MiB of text, no two lines of which are the same.',
    inputSchema: { type: 'object' },
    handler: () =>
      Array.from({ length: 2 ** 20 }, (_, line) => String(line).padStart(31, '.'))
        .join('\n')
        .padEnd(2 ** 25),
  },
};
