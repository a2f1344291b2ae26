export type { CallOptions } from '../connection/pending-calls.js';
export type { WalkOptions } from '../wire/file-params.js';
export type { DirectoryEntry, FileMetadata, WalkEntry, WalkResult } from '../wire/file-results.js';
export type { EnvironmentPolicy } from '../wire/process-params.js';
export type { OutputStream, TerminateResult, WriteStatus } from '../wire/process-results.js';
export type { EnvironmentInfo } from '../wire/session.js';
export type {
  ConnectionHost,
  InProcessOptions,
  OpenOptions,
  StdioOptions,
  WebSocketOptions,
} from './connect-options.js';
export { type CloseOptions, ExecServerClient } from './exec-server-client.js';
export type { FileClient, FileOptions } from './file-client.js';
export type { ReadOptions, StartOptions, TerminateOptions, WriteOptions } from './process-calls.js';
export type {
  ClosedEvent,
  ExitedEvent,
  GapEvent,
  OutputEvent,
  ProcessEvent,
  ProcessOutput,
} from './process-event.js';
export type { RemoteFile } from './remote-file.js';
export type { RemoteProcess } from './remote-process.js';
