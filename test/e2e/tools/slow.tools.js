import { setTimeout as sleep } from 'node:timers/promises';

// As `echo`, for fixtures that call it and die; what becomes of the signal is written to stderr.
export const tools = {
  echo: {
    description: 'Never answers; tells when nobody wants an answer any more.',
    inputSchema: { type: 'object' },
    async handler(_input, { signal }) {
      signal.addEventListener('abort', () => process.stderr.write('tool: told to stop\n'));
      await sleep(60_000);
    },
  },
};
