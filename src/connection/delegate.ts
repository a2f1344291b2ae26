import type { ToolKind } from '../protocol/index.js';

/** A cell calls a tool. */
export interface ToolCall {
  readonly cellId: string;
  /** Unique within the cell. */
  readonly callId: string;
  /** The `tool_name` of its definition. */
  readonly name: string;
  readonly namespace: string | null;
  readonly kind: ToolKind;
  /** Of a `freeform` tool a string, else any JSON; not checked. */
  readonly input: unknown;
}

/** A cell tells something while it runs. */
export interface Notification {
  readonly cellId: string;
  /** The `toolCallId` of the cell. */
  readonly callId: string;
  readonly text: string;
}

/**
 * Does a piece of work while the time limit of the cell stands still, such as a question to a person. Ends with the work,
 * or with the call: when that is answered, or its signal fires, the hold is over and rejects. A rejection that nobody
 * hears is no fault.
 */
export type Hold = <T>(work: () => Promise<T>) => Promise<T>;

export interface DelegateContext {
  /** Fires when the answer is no longer wanted. */
  readonly signal: AbortSignal;
  /** Always there in calls of a session that a `Host` has opened. */
  readonly hold?: Hold | undefined;
  /** The session at its host; cell ids are unique within it. There like `hold`. */
  readonly sessionId?: string | undefined;
  /** No other session of this process has it: two hosts may call their sessions alike. There like `hold`. */
  readonly sessionKey?: string | undefined;
}

/** What the cells of a session can reach. */
export interface Delegate {
  /**
   * Gives the result: what `JSON.stringify` takes, and bytes (`Uint8Array`), which cells get as base64. What it throws
   * rejects the call in the cell, with the message.
   */
  invokeTool(call: ToolCall, context: DelegateContext): Promise<unknown> | unknown;
  /** Called one after another for one cell, in order. */
  notify?(notification: Notification, context: { signal: AbortSignal }): Promise<void> | void;
  /** Called exactly once for each cell that was started. */
  cellClosed?(cellId: string, context?: Pick<DelegateContext, 'sessionId' | 'sessionKey'>): void;
}
