import type { Tool } from '../tool.js';
import { isMcpEnvelope, structuredSchema } from './mcp-result.js';
import { schemaNotReadText } from './messages.js';
import { type RenderedSchema, renderSchema, type SchemaTypeOptions } from './schema-type.js';
import { inBlockComment } from './source-text.js';

/** A tool, and the property of `tools` by which cells call it. */
export interface DeclaredTool {
  readonly tool: Tool;
  readonly property: string;
}

export function isDeclaredTool(value: unknown): value is DeclaredTool {
  const { tool, property } = Object(value) as { readonly [name in keyof DeclaredTool]?: unknown };
  return typeof tool === 'object' && tool !== null && typeof property === 'string';
}

/** Types as text, each with a comment where it says less than its schema. */
export interface ToolSignature {
  readonly parameter: 'args' | 'input';
  readonly input: string;
  readonly output: string;
  /** The output is a `CallToolResult`. */
  readonly isMcp: boolean;
}

const unknownSchema: RenderedSchema = { text: 'unknown', problem: undefined };

type Options = Pick<SchemaTypeOptions, 'comments'>;

export function toolSignature(tool: Tool, options: Options = {}): ToolSignature {
  const isFreeform = tool.kind === 'freeform';
  const input = isFreeform ? 'string' : withReason(rendered(() => tool.inputSchema, options));
  const { type, isMcp } = outputOf(tool, options);
  return { parameter: isFreeform ? 'input' : 'args', input, output: type, isMcp };
}

function outputOf(tool: Tool, options: Options): { type: string; isMcp: boolean } {
  const isMcp = attempt(() => isMcpEnvelope(tool.outputSchema)) === true;
  // Null is how the protocol says that there is none.
  if (!isMcp) return { type: withReason(rendered(() => tool.outputSchema ?? undefined, options)), isMcp };
  const inside = rendered(() => structuredSchema(tool.outputSchema), options);
  const plain = inside.text === 'unknown' && inside.problem === undefined;
  return { type: plain ? 'CallToolResult' : `CallToolResult<${withReason(inside)}>`, isMcp };
}

function rendered(read: () => unknown, options: Options): RenderedSchema {
  try {
    const schema = read();
    return schema === undefined ? unknownSchema : renderSchema(schema, options);
  } catch (error) {
    return { text: 'unknown', problem: schemaNotReadText(error) };
  }
}

const withReason = ({ text, problem }: RenderedSchema): string =>
  problem === undefined ? text : `${text} /* ${inBlockComment(problem)} */`;

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
