import { readFileSync } from 'node:fs';
import type { Tool } from '../../../src/tools/tool.js';

export interface RenderVector {
  readonly name: string;
  readonly schema: unknown;
  readonly typescript: string;
}

/** A tool of a published MCP server; its texts are replaced, its structure is as it was. */
export interface RealTool {
  /** Package and version. */
  readonly server: string;
  readonly tool: string;
  readonly input: object;
  readonly output?: object;
}

const lines = (name: string): unknown[] => {
  const file = new URL(`../../../../test/tools/declarations/${name}.jsonl`, import.meta.url);
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
};

export const renderVectors = lines('render-vectors') as readonly RenderVector[];
export const realTools = lines('real-schemas') as readonly RealTool[];

/** The envelope in which tools of MCP declare their results. */
export const envelopeOf = (structured: object | undefined): object => ({
  type: 'object',
  properties: {
    content: { type: 'array', items: { type: 'object' } },
    ...(structured === undefined ? {} : { structuredContent: structured }),
    isError: { type: 'boolean' },
    _meta: { type: 'object' },
  },
  required: ['content'],
});

export const toolOf = (name: string, fields: Partial<Tool> = {}): Tool => ({
  name,
  description: `The tool ${name}.`,
  inputSchema: { type: 'object' },
  handler: () => null,
  ...fields,
});

export const entryOf = (name: string, fields: Partial<Tool> = {}): { tool: Tool; property: string } => ({
  tool: toolOf(name, fields),
  property: name.replace(/[^\w$]/g, '_'),
});

/** The real tools as a toolbox would have them, one group a server. */
export const realEntries = realTools.map(({ server, tool, input, output }, at) => ({
  property: `${tool.replace(/\W/g, '_')}_${at}`,
  tool: toolOf(tool, {
    description: `Does ${tool.replaceAll('_', ' ')}. ${'More is said here. '.repeat(at % 50)}`,
    inputSchema: input,
    outputSchema: envelopeOf(output),
    group: { name: server, description: `Tools of ${server}.` },
  }),
}));
