import { DEFAULT_OUTPUT_TOKENS, DEFAULT_YIELD_MS } from '../protocol/limits.js';
import { describe, execTool, type FreeformContract, type FunctionContract, waitTool } from '../tools/description.js';
import type { Toolbox } from '../tools/toolbox.js';
import { sourceFieldText } from './messages.js';

/** What a call asks for when the model says nothing else; the model is told so. */
export interface CallDefaults {
  readonly yieldTimeMs: number;
  readonly maxOutputTokens: number;
}

/** `exec`, with the tools that cells have, and `wait`. */
export function modelTools(
  toolbox: Toolbox,
  maxTokens: number | undefined,
  defaults: CallDefaults,
): readonly [FreeformContract, FunctionContract] {
  const { exec, wait } = describe(toolbox, { maxTokens });
  const { yieldTimeMs, maxOutputTokens } = defaults;
  return [
    {
      ...execTool,
      description: exec
        .replace(`"yield_time_ms": ${DEFAULT_YIELD_MS}`, `"yield_time_ms": ${yieldTimeMs}`)
        .replace(`"max_output_tokens": ${DEFAULT_OUTPUT_TOKENS}`, `"max_output_tokens": ${maxOutputTokens}`),
    },
    {
      ...waitTool,
      description: wait
        .replace(/^(- `yield_time_ms`.*\()\d+/m, `$1${yieldTimeMs}`)
        .replace(/^(- `max_tokens`.*\()\d+/m, `$1${maxOutputTokens}`),
      inputSchema: withDefaults({ yield_time_ms: yieldTimeMs, max_tokens: maxOutputTokens }),
    },
  ];
}

/** `exec` for models that have no freeform tools: the source is a field. */
export const asFunction = ({ name, description }: FreeformContract): FunctionContract => ({
  kind: 'function',
  name,
  description,
  inputSchema: {
    type: 'object',
    properties: { source: { type: 'string', description: sourceFieldText } },
    required: ['source'],
    additionalProperties: false,
  },
});

function withDefaults(defaults: Readonly<Record<string, number>>): object {
  const schema = structuredClone(waitTool.inputSchema) as {
    readonly properties: Record<string, { default?: unknown }>;
  };
  for (const [name, value] of Object.entries(defaults)) {
    const property = schema.properties[name];
    if (property !== undefined) property.default = value;
  }
  return schema;
}
