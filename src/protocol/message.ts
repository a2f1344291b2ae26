/**
 * The V1 messages. Names mix two styles on the wire: envelope fields are camelCase, payload fields snake_case, the
 * wrappers of runtime responses PascalCase. Times are ms, durations `_ns` are ns, sizes are bytes.
 */

/** A signed 64-bit integer; a bigint only when a peer chose an id that a JavaScript number cannot hold. */
export type Id = number | bigint;

export interface ClientHello {
  readonly type: 'connection/hello';
  readonly supportedVersions: readonly number[];
  readonly requiredCapabilities: readonly string[];
  readonly optionalCapabilities: readonly string[];
}

export interface ConnectionReady {
  readonly type: 'connection/ready';
  readonly selectedVersion: number;
  readonly capabilities: readonly string[];
}

export type RejectionReason =
  | { readonly type: 'invalidHello'; readonly message: string }
  | { readonly type: 'noCompatibleVersion'; readonly supportedVersions: readonly number[] }
  | { readonly type: 'missingRequiredCapability'; readonly capability: string };

export interface ConnectionRejected {
  readonly type: 'connection/rejected';
  readonly reason: RejectionReason;
}

export type HostHello = ConnectionReady | ConnectionRejected;

/** Limits for each cell of a session: whole numbers of at least 0; without one, or with null, the host's own hold. */
export interface CellExecutionLimits {
  /** The longest that one look at a running cell may take, in ms, whatever the look asks for. By default there is no limit. */
  readonly maxYieldTimeMs?: number | null;
  /**
   * Memory of the cell, in bytes: one that takes more fails. Our host rounds it up to whole MiB, and has at least 16; by
   * default its cells have 1,400 MiB for objects, and 8 GiB in all on Linux.
   */
  readonly maxHeapSizeBytes?: number | null;
}

/** What a call of the tool comes back with. */
export interface ToolName {
  readonly name: string;
  readonly namespace?: string | null;
}

/** Cells call a `function` tool with an object, a `freeform` one with a string. */
export type ToolKind = 'function' | 'freeform';

/** What a host is told about a tool; a `Toolbox` makes these. Field names are those of the wire. */
export interface ToolDefinition {
  /** `tools.<name>` in cells, where what cannot stand in a name becomes `_`. */
  readonly name: string;
  /** What the tool is called in the calls that come back. */
  readonly tool_name: ToolName;
  /** Cells read it in `ALL_TOOLS`. */
  readonly description: string;
  readonly kind: ToolKind;
  /** JSON Schema, as JSON: what is none is refused when a cell is started (`invalid-argument`). Hosts do not check inputs. */
  readonly input_schema?: unknown;
  readonly output_schema?: unknown;
}

export interface ExecuteRequest {
  readonly catalog_revision?: number | null;
  readonly tool_call_id: string;
  readonly enabled_tools: readonly ToolDefinition[];
  readonly source: string;
  readonly yield_time_ms?: number | null;
  readonly max_output_tokens?: number | null;
}

export interface WaitRequest {
  readonly cell_id: string;
  readonly yield_time_ms: number;
}

export type OutputTruncation = 'client' | 'server';

export type SessionRequest =
  | {
      readonly method: 'session/open';
      readonly sessionId: string;
      readonly cellExecutionLimits?: CellExecutionLimits | null;
      readonly outputTruncation?: OutputTruncation | null;
    }
  | { readonly method: 'session/execute'; readonly sessionId: string; readonly request: ExecuteRequest }
  | {
      readonly method: 'session/wait';
      readonly sessionId: string;
      readonly request: WaitRequest;
      readonly maxOutputTokens?: number | null;
    }
  | {
      readonly method: 'session/terminate';
      readonly sessionId: string;
      readonly cellId: string;
      readonly maxOutputTokens?: number | null;
    }
  | { readonly method: 'session/shutdown'; readonly sessionId: string };

export type Outcome<T> =
  | { readonly status: 'ok'; readonly value: T }
  | { readonly status: 'error'; readonly message: string };

export type DelegateValue =
  | { readonly type: 'tool/result'; readonly result: unknown }
  | { readonly type: 'notification/delivered' };

export type ClientMessage =
  | ClientHello
  | { readonly type: 'operation/request'; readonly id: Id; readonly request: SessionRequest }
  | { readonly type: 'operation/cancel'; readonly id: Id }
  | { readonly type: 'operation/yield'; readonly id: Id }
  | { readonly type: 'delegate/response'; readonly id: Id; readonly result: Outcome<DelegateValue> };

export type ImageDetail = 'auto' | 'low' | 'high' | 'original';

/** What a cell puts out. URLs of images and audio are `data:` URLs. */
export type ContentItem =
  | { readonly type: 'input_text'; readonly text: string }
  | { readonly type: 'input_image'; readonly image_url: string; readonly detail?: ImageDetail }
  | { readonly type: 'input_audio'; readonly audio_url: string };

export interface CellProgress {
  readonly cell_id: string;
  readonly content_items: readonly ContentItem[];
  readonly code_mode_host_duration_ns: number;
}

export interface CellResult extends CellProgress {
  readonly error_text: string | null;
  readonly result_buffered_for_ns: number;
}

export type RuntimeResponse =
  | { readonly Yielded: CellProgress }
  | { readonly Terminated: CellProgress }
  | { readonly Result: CellResult };

export type WaitOutcome = { readonly LiveCell: RuntimeResponse } | { readonly MissingCell: RuntimeResponse };

export type OperationValue =
  | { readonly type: 'session/ready'; readonly sessionId: string }
  | { readonly type: 'execution/started'; readonly cellId: string }
  | { readonly type: 'wait/completed'; readonly outcome: WaitOutcome }
  | { readonly type: 'session/closed'; readonly sessionId: string };

export interface ToolInvocation {
  readonly cell_id: string;
  readonly runtime_tool_call_id: string;
  readonly tool_name: ToolName;
  readonly tool_kind: ToolKind;
  readonly input?: unknown;
}

export type DelegateRequest =
  | { readonly type: 'tool/invoke'; readonly invocation: ToolInvocation }
  | {
      readonly type: 'notification/send';
      readonly callId: string;
      readonly cellId: string;
      readonly text: string;
    };

export type HostMessage =
  | HostHello
  | { readonly type: 'operation/response'; readonly id: Id; readonly result: Outcome<OperationValue> }
  | { readonly type: 'execute/initialResponse'; readonly id: Id; readonly result: Outcome<RuntimeResponse> }
  | { readonly type: 'cell/closed'; readonly sessionId: string; readonly cellId: string }
  | {
      readonly type: 'delegate/request';
      readonly id: Id;
      readonly sessionId: string;
      readonly request: DelegateRequest;
    }
  | { readonly type: 'delegate/cancel'; readonly id: Id };

export type Message = ClientMessage | HostMessage;
