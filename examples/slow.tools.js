// Tools that take their time, or fail: codemode-run examples/settled.js --tools examples/slow.tools.js
import { setTimeout as sleep } from 'node:timers/promises';

export const tools = {
  weather: {
    description: 'The weather in a city, after a while.',
    inputSchema: {
      type: 'object',
      properties: { city: { type: 'string' } },
      required: ['city'],
    },
    outputSchema: {
      type: 'object',
      properties: { city: { type: 'string' }, sky: { enum: ['clear', 'cloudy'] } },
      required: ['city', 'sky'],
    },
    /** @param {{ city: string }} input @param {{ signal: AbortSignal }} context */
    async handler({ city }, { signal }) {
      if (city === 'Atlantis') throw new Error('Atlantis has sunk');
      // The signal ends the wait when the cell ends without it.
      await sleep(city.length * 10, undefined, { signal });
      return { city, sky: city.length % 2 === 0 ? 'clear' : 'cloudy' };
    },
  },
};
