import type { ToolKind } from '../protocol/index.js';

/** A cell calls a tool. */
export interface ToolCall {
  readonly cellId: string;
  readonly callId: string;
  readonly name: string;
  readonly namespace: string | null;
  readonly kind: ToolKind;
  readonly input: unknown;
}

/** A cell tells something while it runs. */
export interface Notification {
  readonly cellId: string;
  readonly callId: string;
  readonly text: string;
}

/** What the cells of a session can reach. The signal fires when the answer is no longer wanted. */
export interface Delegate {
  invokeTool(call: ToolCall, context: { signal: AbortSignal }): Promise<unknown> | unknown;
  /** Called one after another for one cell, in order. */
  notify?(notification: Notification, context: { signal: AbortSignal }): Promise<void> | void;
  /** Called exactly once for each cell that was started. */
  cellClosed?(cellId: string): void;
}
