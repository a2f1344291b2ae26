// weather.tools.mjs
export const tools = {
  weather: {
    description: 'The weather in a city.',
    inputSchema: {
      type: 'object',
      properties: { city: { type: 'string' }, days: { type: 'integer', minimum: 1, maximum: 7 } },
      required: ['city'],
      additionalProperties: false,
    },
    outputSchema: {
      type: 'object',
      properties: { city: { type: 'string' }, celsius: { type: 'number' } },
      required: ['city', 'celsius'],
    },
    async handler({ city, days = 1 }, { progress }) {
      progress?.({ progress: days, total: days, message: city });
      return { city, celsius: 21 };
    },
  },
};
