import type { Tool, ToolContext, ToolGroup } from '../tools/tool.js';
import type { ListedTool } from './tool-list.js';
import { isRecord } from './value.js';

export type CallTool = (tool: string, input: unknown, context: ToolContext) => Promise<unknown>;

export const groupOf = (server: string, instructions: unknown): ToolGroup => ({
  name: `mcp__${server}`,
  ...(typeof instructions === 'string' && instructions.trim() !== '' ? { description: instructions } : {}),
});

/** What a server lists, as a tool for cells. A schema that is none says nothing, and so allows everything. */
export function toolOf(server: string, group: ToolGroup, { name, fields }: ListedTool, call: CallTool): Tool {
  const { description, title, inputSchema, outputSchema } = fields;
  return {
    name: `mcp__${server}__${name}`,
    description: [description, title].find((text) => typeof text === 'string' && text !== '')?.toString() ?? '',
    inputSchema: schemaOr(inputSchema, { type: 'object' }),
    outputSchema: resultEnvelope(schemaOr(outputSchema, true)),
    kind: 'function',
    group,
    handler: (input, context) => call(name, input, context),
  };
}

const schemaOr = (schema: unknown, otherwise: object | boolean): object | boolean =>
  isRecord(schema) || typeof schema === 'boolean' ? schema : otherwise;

/** A cell gets the result of MCP as it is; the schema of the tool is that of a part of it. */
const resultEnvelope = (structuredContent: object | boolean): object => ({
  type: 'object',
  properties: {
    content: { type: 'array', items: { type: 'object' } },
    structuredContent,
    isError: { type: 'boolean' },
    _meta: { type: 'object' },
  },
  required: ['content'],
  additionalProperties: false,
});
