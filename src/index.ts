export {
  answerForError,
  type ContractOptions,
  type ContractSession,
  type ExecCallOptions,
  ExecContract,
  type ExecInput,
  type ExecSettings,
  type ModelAnswer,
  type ModelNotification,
  type OpenContractOptions,
  parseExecInput,
} from './contract/index.js';
export { CodemodeError, type ErrorCode, type ErrorData, errorCodes } from './errors.js';
export {
  type ClientInfo,
  type ConfigOptions,
  type HttpServerConfig,
  loadMcpConfig,
  type McpEvent,
  type McpFailure,
  type McpOptions,
  type McpServerConfig,
  McpServers,
  parseMcpConfig,
  type StdioServerConfig,
} from './mcp/index.js';
export type {
  CellExecutionLimits,
  ContentItem,
  ImageDetail,
  ToolDefinition,
  ToolKind,
  ToolName,
} from './protocol/message.js';
export {
  type CheckedCell,
  type CheckOptions,
  checkCell,
  checkCells,
  type Diagnostic,
  type Finding,
  type FindingCode,
  findingCodes,
  type Preflight,
  type PreparedCell,
  type PrepareOptions,
  prepareCell,
  stripTypes,
} from './source/index.js';
export {
  type Cell,
  type Delegate,
  type DelegateContext,
  type ExecuteOptions,
  type Hold,
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
export {
  cellDeclarations,
  type DeclaredTool,
  type Dialect,
  type SchemaTypeOptions,
  schemaType,
  toolDeclaration,
} from './tools/declarations/index.js';
export {
  type Describable,
  type DescribeOptions,
  type Description,
  describe,
  execTool,
  type FreeformContract,
  type FunctionContract,
  waitTool,
} from './tools/description.js';
export { type ExecToolsOptions as CommandToolsOptions, execTools as commandTools } from './tools/exec/tools.js';
export { type LoadToolsOptions, loadTools } from './tools/module/load-tools.js';
export { type ToolSearchAnswer, type ToolSearchResult, toolSearch } from './tools/search/tool-search.js';
export type { Tool, ToolContext, ToolGroup, ToolProgress } from './tools/tool.js';
export type { CallOutcome, HookAnswer, HookedCall, ToolHooks } from './tools/tool-hooks.js';
export {
  type InvokeContext,
  Toolbox,
  type ToolboxDelegateOptions,
  type ToolboxOptions,
  type ToolEntry,
  type ToolRequest,
} from './tools/toolbox.js';
