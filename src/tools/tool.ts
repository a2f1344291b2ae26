import type { ToolKind } from '../protocol/message.js';

export interface ToolContext {
  /** Aborted when the cell ends, or is ended, before the tool has answered. */
  readonly signal: AbortSignal;
  readonly cellId: string;
  readonly callId: string;
}

/** A function that cells may call. `Input` is what the model sends: check it, nobody else does. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema. */
  readonly inputSchema: object | boolean;
  readonly outputSchema?: object | boolean;
  /** `function` tools get an object, `freeform` tools a string. Default: `function`. */
  readonly kind?: ToolKind;
  // A method, so that a handler may declare a narrower input than unknown.
  handler(input: unknown, context: ToolContext): unknown;
}
