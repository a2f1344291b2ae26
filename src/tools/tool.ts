import type { ToolKind } from '../protocol/message.js';

export interface ToolContext {
  /** Aborted when the cell ends, or is ended, before the tool has answered. */
  readonly signal: AbortSignal;
  /** The session at its host; cell ids are unique within it. Not there when nobody has told the toolbox. */
  readonly sessionId?: string | undefined;
  readonly cellId: string;
  /** Unique within the cell. */
  readonly callId: string;
  /** Tells whoever watches the run how far the call is; nobody has to listen. */
  readonly progress?: ((progress: ToolProgress) => void) | undefined;
}

/** How far a call is: `progress` grows, and reaches `total` where that is known. */
export interface ToolProgress {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

/** What some tools have in common, such as the MCP server they come from: a heading, and what it says of itself. */
export interface ToolGroup {
  readonly name: string;
  readonly description?: string | undefined;
}

/** A function that cells may call. */
export interface Tool {
  /** Any text that is not blank; in cells what cannot stand in a name becomes `_`. */
  readonly name: string;
  /** For models, and for cells in `ALL_TOOLS`. */
  readonly description: string;
  /** JSON Schema: inputs are checked against it before the handler runs. `true` takes anything. */
  readonly inputSchema: object | boolean;
  /** JSON Schema; for declarations only, results are not checked. */
  readonly outputSchema?: object | boolean | undefined;
  /** `function` tools get an object, `freeform` tools a string. Default: `function`. */
  readonly kind?: ToolKind | undefined;
  readonly group?: ToolGroup | undefined;
  // A method, so that a handler may declare a narrower input than unknown.
  /** Gives what JSON can hold, or bytes, which become base64; what it throws rejects the call, with its message. */
  handler(input: unknown, context: ToolContext): unknown;
}
