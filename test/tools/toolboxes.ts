import type { Tool } from '../../src/tools/tool.js';
import type { ToolRequest } from '../../src/tools/toolbox.js';

export type { Tool } from '../../src/tools/tool.js';
export type { ToolHooks } from '../../src/tools/tool-hooks.js';
export { Toolbox } from '../../src/tools/toolbox.js';

export const echo: Tool = {
  name: 'get-user',
  description: 'd',
  inputSchema: { type: 'object' },
  handler: (input) => ({ got: input }),
};

export const call = (name: string, input: unknown, namespace: string | null = null): ToolRequest => ({
  cellId: '3',
  callId: 'tool-7',
  name,
  namespace,
  input,
});
