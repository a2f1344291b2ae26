import type { ToolDefinition } from '../protocol/message.js';
import { MAX_RESULT_DEPTH, plainValue } from '../protocol/plain-value.js';
import { toolDeclaration } from './declarations/index.js';
import { embedded } from './description/embedded.js';
import { shorten } from './description/shorten.js';
import { unreadableSchemaText } from './messages.js';
import { plainProperty } from './names.js';
import { thrownText } from './thrown-text.js';
import type { Tool } from './tool.js';

/** A tool that cells are offered. */
export interface ToolEntry {
  readonly tool: Tool;
  /** `tools.<property>` in a cell. */
  readonly property: string;
  /** Why its inputs are not checked: its schema cannot be used. Known after its first call. */
  readonly unchecked?: string | undefined;
}

export interface DefinedTool {
  readonly definition: ToolDefinition;
  /** Schemas that a host cannot be sent, and why. */
  readonly leftOut: readonly { readonly field: 'inputSchema' | 'outputSchema'; readonly reason: string }[];
}

/** A schema stands deeper in its message than a result does. */
const MAX_SCHEMA_DEPTH = MAX_RESULT_DEPTH - 6;
/** What a server says of itself stands at each of its tools, of which there may be hundreds. In UTF-16 code units. */
const MAX_GROUP_LENGTH = 2_000;

/**
 * What a host is told about a tool. Hosts make a property out of `name`, and this one is a property already, so that all
 * of them come to the same; calls come back with `tool_name`, the raw name. One schema that cannot be sent would spoil
 * the whole list, so it stays behind.
 */
export function definitionOf(entry: ToolEntry): DefinedTool {
  const { tool, property } = entry;
  const leftOut: DefinedTool['leftOut'][number][] = [];
  const sent = (field: 'inputSchema' | 'outputSchema'): unknown => {
    const reason = unsendable(tool[field]);
    if (reason === undefined) return tool[field] ?? null;
    leftOut.push({ field, reason });
    return null;
  };
  const definition: ToolDefinition = {
    name: property,
    tool_name: { name: tool.name, namespace: null },
    description: descriptionOf(entry),
    kind: tool.kind ?? 'function',
    input_schema: sent('inputSchema'),
    output_schema: sent('outputSchema'),
  };
  return { definition, leftOut };
}

function unsendable(schema: unknown): string | undefined {
  try {
    plainValue(schema, 'base64', MAX_SCHEMA_DEPTH);
    return undefined;
  } catch (error) {
    return thrownText(error) ?? unreadableSchemaText;
  }
}

/**
 * What `ALL_TOOLS` says of a tool: all that a cell needs to call it. It shows nothing but the property, so where that is
 * not what one expects, the text says which tool it is.
 */
function descriptionOf(entry: ToolEntry): string {
  const { tool, property } = entry;
  const named = property === plainProperty(tool.name) ? '' : `(${JSON.stringify(tool.name)}) `;
  const about = shorten(tool.group?.description ?? '', MAX_GROUP_LENGTH);
  const parts = [`${named}${embedded(tool.description)}`, embedded(about), declarationBlock(entry)];
  return parts.filter((part) => part.trim() !== '').join('\n\n');
}

const declarationBlock = (entry: ToolEntry): string =>
  `exec tool declaration:\n\`\`\`ts\n${toolDeclaration(entry)}\n\`\`\``;
