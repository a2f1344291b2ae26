import { isDeepStrictEqual } from 'node:util';
import type { ExecuteRequest, ToolDefinition } from '../protocol/message.js';
import { catalogTexts } from './messages.js';

/** The tool list that a session remembers: that of the highest revision so far. */
export class Catalog {
  #revision: number | undefined;
  #tools: readonly ToolDefinition[] = [];

  /** The tools of one execute request, or the text that refuses it. */
  resolve(request: ExecuteRequest): readonly ToolDefinition[] | string {
    const { catalog_revision: revision, enabled_tools: tools } = request;
    if (revision === undefined || revision === null) return tools;
    if (revision === 0) return catalogTexts.invalid;
    if (tools.length === 0) return revision === this.#revision ? this.#tools : catalogTexts.unknown;
    if (revision === this.#revision && !isDeepStrictEqual(tools.map(comparable), this.#tools.map(comparable))) {
      return catalogTexts.conflicting;
    }
    if (this.#revision === undefined || revision > this.#revision) {
      this.#revision = revision;
      this.#tools = tools;
    }
    return tools;
  }
}

/** Absent and null mean the same. */
function comparable(tool: ToolDefinition): unknown {
  return {
    ...tool,
    tool_name: { name: tool.tool_name.name, namespace: tool.tool_name.namespace ?? null },
    input_schema: tool.input_schema ?? null,
    output_schema: tool.output_schema ?? null,
  };
}
