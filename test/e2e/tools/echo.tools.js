export const tools = {
  echo: {
    description: 'Gives back what it was given.',
    inputSchema: { type: 'object' },
    handler: (input) => input,
  },
};
