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
