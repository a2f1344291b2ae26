const count = { type: 'integer', minimum: 0 };
const flag = { type: 'boolean' };

/** Whatever is not in `optional` is always there. More fields may come one day, so others are not forbidden. */
function resultSchema(properties: Readonly<Record<string, object>>, optional: readonly string[] = []): object {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', properties, required };
}

/** What the tools for commands and files give to cells. */
export const results = {
  command: resultSchema(
    {
      output: { type: 'string' },
      total_bytes: count,
      omitted_bytes: count,
      exit_code: { type: ['integer', 'null'], description: 'null while it runs' },
      session_id: { type: 'integer', minimum: 1, description: 'Only while it runs' },
      wall_time_seconds: { type: 'number', minimum: 0 },
    },
    ['session_id'],
  ),
  read: resultSchema({ content: { type: 'string' }, bytes: count, total_bytes: count, eof: flag }),
  written: resultSchema({ bytes: count }),
  listed: resultSchema({
    entries: {
      type: 'array',
      items: resultSchema({ name: { type: 'string' }, kind: { enum: ['directory', 'file', 'other'] } }),
    },
    total: count,
    truncated: flag,
  }),
};
