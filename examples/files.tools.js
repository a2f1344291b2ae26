// Two tools for looking at files: codemode-run examples/licenses.js --tools examples/files.tools.js
import { readdir, readFile } from 'node:fs/promises';

export const tools = {
  list_folder: {
    description: 'Lists a folder: the names in it, sorted, each with its kind.',
    inputSchema: {
      type: 'object',
      properties: { path: { type: 'string', description: 'Relative to the working directory of codemode-run.' } },
      required: ['path'],
      additionalProperties: false,
    },
    outputSchema: {
      type: 'array',
      items: {
        type: 'object',
        properties: { name: { type: 'string' }, kind: { enum: ['file', 'folder', 'other'] } },
        required: ['name', 'kind'],
      },
    },
    /** @param {{ path: string }} input */
    async handler({ path }) {
      const entries = await readdir(text(path), { withFileTypes: true });
      return entries
        .map((entry) => ({
          name: entry.name,
          kind: entry.isDirectory() ? 'folder' : entry.isFile() ? 'file' : 'other',
        }))
        .sort((one, other) => (one.name < other.name ? -1 : 1));
    },
  },

  read_json: {
    description: 'Reads a JSON file and returns what it holds.',
    inputSchema: {
      type: 'object',
      properties: { path: { type: 'string' } },
      required: ['path'],
      additionalProperties: false,
    },
    /** @param {{ path: string }} input @param {{ signal: AbortSignal }} context */
    async handler({ path }, { signal }) {
      return JSON.parse(await readFile(text(path), { encoding: 'utf8', signal }));
    },
  },
};

/**
 * Models send what they like, so a tool checks its input itself.
 * @param {unknown} path
 */
function text(path) {
  if (typeof path !== 'string') throw new Error('path must be a string');
  return path;
}
