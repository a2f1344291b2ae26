export { CodemodeError, type ErrorCode, type ErrorData, errorCodes } from './errors.js';
export type * from './protocol/message.js';
export {
  type Cell,
  type Delegate,
  type ExecuteOptions,
  Host,
  type HostEvent,
  type HostInfo,
  type HostOptions,
  type Notification,
  type Observation,
  ownHost,
  type RequestLimits,
  type Session,
  type SessionOptions,
  type ToolCall,
  type WaitOptions,
} from './supervisor/host.js';
export {
  type CellOutcome,
  type CellSession,
  DEFAULT_CELL_TIMEOUT_MS,
  DEFAULT_CELL_YIELD_MS,
  type RunCellOptions,
  runCell,
} from './supervisor/run-cell.js';
export { loadTools } from './tools/load-tools.js';
export type { Tool, ToolContext } from './tools/tool.js';
export { Toolbox, type ToolRequest } from './tools/toolbox.js';
