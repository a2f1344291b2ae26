import type {
  CellExecutionLimits,
  DelegateValue,
  ExecuteRequest,
  HostMessage,
  Id,
  Outcome,
} from '../protocol/index.js';
import type { Caller } from './caller.js';
import type { Observation } from './observation.js';
import type { SessionRef, SessionSeed, StartedCell } from './tables.js';

export interface OpenCommand {
  readonly type: 'open';
  readonly session: SessionSeed;
  readonly limits: CellExecutionLimits;
  readonly caller: Caller<void>;
}

export interface ExecuteCommand {
  readonly type: 'execute';
  readonly session: SessionRef;
  readonly request: ExecuteRequest;
  readonly caller: Caller<StartedCell>;
}

export interface WaitCommand {
  readonly type: 'wait';
  readonly session: SessionRef;
  readonly cellId: string;
  readonly yieldTimeMs: number;
  readonly maxOutputTokens: number | undefined;
  readonly caller: Caller<Observation>;
}

export interface TerminateCommand {
  readonly type: 'terminate';
  readonly session: SessionRef;
  readonly cellId: string;
  readonly maxOutputTokens: number | undefined;
  readonly caller: Caller<Observation>;
}

export interface ShutdownCommand {
  readonly type: 'shutdown';
  readonly session: SessionRef;
  readonly caller: Caller<void>;
}

/** What a caller asks for. */
export type Command = OpenCommand | ExecuteCommand | WaitCommand | TerminateCommand | ShutdownCommand;

/** All that can happen to a connection; the driver takes one at a time. */
export type DriverInput =
  | { readonly type: 'message'; readonly message: HostMessage }
  | { readonly type: 'command'; readonly command: Command }
  /** The caller of an execute has the cell. */
  | { readonly type: 'claim'; readonly id: number }
  /** Somebody wants to see what a cell has put out so far. */
  | { readonly type: 'yield'; readonly session: SessionRef; readonly cellId: string }
  /** The caller of a request that was sent has given up. */
  | { readonly type: 'cancelled'; readonly id: number }
  | { readonly type: 'delegate-done'; readonly id: Id; readonly outcome: Outcome<DelegateValue> };
