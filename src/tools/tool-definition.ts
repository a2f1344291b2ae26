import type { ToolDefinition } from '../protocol/message.js';
import { toolDeclaration } from './declarations/index.js';
import { plainProperty } from './names.js';
import type { Tool } from './tool.js';

/** A tool that cells are offered. */
export interface ToolEntry {
  readonly tool: Tool;
  /** `tools.<property>` in a cell. */
  readonly property: string;
  /** Why its inputs are not checked: its schema cannot be used. Known after its first call. */
  readonly unchecked?: string | undefined;
}

/**
 * What a host is told about a tool. Hosts make a property out of `name`, and this one is a property already, so that all
 * of them come to the same; calls come back with `tool_name`, the raw name.
 */
export function definitionOf(entry: ToolEntry): ToolDefinition {
  const { tool, property } = entry;
  return {
    name: property,
    tool_name: { name: tool.name, namespace: null },
    description: descriptionOf(entry),
    kind: tool.kind ?? 'function',
    input_schema: tool.inputSchema,
    output_schema: tool.outputSchema ?? null,
  };
}

/**
 * What `ALL_TOOLS` says of a tool: all that a cell needs to call it. It shows nothing but the property, so where that is
 * not what one expects, the text says which tool it is.
 */
function descriptionOf(entry: ToolEntry): string {
  const { tool, property } = entry;
  const named = property === plainProperty(tool.name) ? '' : `(${JSON.stringify(tool.name)}) `;
  const parts = [`${named}${tool.description}`, tool.group?.description ?? '', declarationBlock(entry)];
  return parts.filter((part) => part.trim() !== '').join('\n\n');
}

const declarationBlock = (entry: ToolEntry): string =>
  `exec tool declaration:\n\`\`\`ts\n${toolDeclaration(entry)}\n\`\`\``;
