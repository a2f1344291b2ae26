import { CodemodeError } from '../errors.js';
import type { ToolDefinition, ToolKind } from '../protocol/message.js';
import { toolProperty } from '../protocol/tool-name.js';
import {
  duplicateToolText,
  objectExpectedText,
  sameNameText,
  stringExpectedText,
  toolboxFieldText,
  unknownToolText,
} from './messages.js';
import type { Tool } from './tool.js';

/** A call as the supervisor hands it to its delegate. */
export interface ToolRequest {
  readonly cellId: string;
  readonly callId: string;
  readonly name: string;
  readonly namespace: string | null;
  readonly input: unknown;
}

/** The tools of a session: what the host is told about them, and the way from a call to its handler. */
export class Toolbox {
  readonly definitions: readonly ToolDefinition[];
  readonly #tools: ReadonlyMap<string, Tool>;

  constructor(tools: readonly Tool[]) {
    const byName = new Map<string, Tool>();
    /** In a cell two names may become one, and the later would hide the earlier. */
    const byProperty = new Map<string, string>();
    for (const tool of tools) {
      const wrong = defectOf(tool);
      if (wrong !== undefined) throw new CodemodeError('invalid-argument', wrong, { data: { tool: tool?.name } });
      if (byName.has(tool.name)) {
        const message = duplicateToolText(tool.name, 'this toolbox', 'toolbox');
        throw new CodemodeError('invalid-argument', message, { data: { tool: tool.name } });
      }
      const property = toolProperty(tool.name);
      const twin = byProperty.get(property);
      if (twin !== undefined) {
        const data = { tool: tool.name, first: twin, property };
        throw new CodemodeError('invalid-argument', sameNameText(twin, tool.name, property), { data });
      }
      byProperty.set(property, tool.name);
      byName.set(tool.name, tool);
    }
    this.#tools = byName;
    this.definitions = tools.map(definitionOf);
  }

  /** The handler's answer; what is thrown becomes the rejection that the cell sees. */
  async invoke(call: ToolRequest, context: { readonly signal: AbortSignal }): Promise<unknown> {
    const tool = call.namespace === null ? this.#tools.get(call.name) : undefined;
    const fullName = `${call.namespace ?? ''}${call.name}`;
    if (tool === undefined) throw refused(unknownToolText(fullName), fullName);
    const input = checkedInput(tool.kind ?? 'function', call.input, fullName);
    return await tool.handler(input, { signal: context.signal, cellId: call.cellId, callId: call.callId });
  }
}

const definitionOf = (tool: Tool): ToolDefinition => ({
  name: tool.name,
  tool_name: { name: tool.name, namespace: null },
  description: tool.description,
  kind: tool.kind ?? 'function',
  input_schema: tool.inputSchema,
  output_schema: tool.outputSchema ?? null,
});

function checkedInput(kind: ToolKind, input: unknown, name: string): unknown {
  if (kind === 'freeform') {
    if (typeof input !== 'string') throw refused(stringExpectedText(name), name);
    return input;
  }
  if (input === null || input === undefined) return {};
  if (typeof input !== 'object' || Array.isArray(input)) throw refused(objectExpectedText(name), name);
  return input;
}

/** What keeps a tool that was made by hand from being one. */
function defectOf(tool: Tool): string | undefined {
  const { name, description, inputSchema, handler } = (tool ?? {}) as { readonly [field in keyof Tool]?: unknown };
  if (typeof name !== 'string' || name === '') return toolboxFieldText('a tool', 'name', 'a non-empty string', name);
  if (typeof description !== 'string') return toolboxFieldText(name, 'description', 'a string', description);
  if (typeof inputSchema !== 'boolean' && (typeof inputSchema !== 'object' || inputSchema === null)) {
    return toolboxFieldText(name, 'inputSchema', 'a JSON Schema (an object or a boolean)', inputSchema);
  }
  return typeof handler === 'function' ? undefined : toolboxFieldText(name, 'handler', 'a function', handler);
}

const refused = (message: string, tool: string): CodemodeError =>
  new CodemodeError('invalid-argument', message, { data: { tool } });
